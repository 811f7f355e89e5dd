import type { Logger } from '@manara/kit/logging'

/** What is opened says where it is; until then it is tried again, and again. */
export type KeepOpening = {
  /** Where it is, or why it is not there yet. */
  open(): Promise<string>
  stop(): void
}

/** Why it failed is said once, and again when that changes: not with every try. */
export function keepOpening({
  open,
  log,
  retryMs,
  explain,
  later = (work, ms) => setTimeout(work, ms),
}: {
  open(): Promise<string>
  log: Pick<Logger, 'error' | 'info'>
  retryMs: number
  explain(error: unknown): string
  later?(work: () => void, ms: number): NodeJS.Timeout
}): KeepOpening {
  let retry: NodeJS.Timeout | undefined
  let said: string | undefined
  let isStopped = false

  async function attempt(): Promise<string> {
    try {
      const where = await open()
      if (said !== undefined) log.info(`devices can connect now: ${where}`)
      said = undefined
      return where
    } catch (error) {
      const why = explain(error)
      if (why !== said) log.error({ err: error }, `devices cannot connect yet: ${why}`)
      said = why
      if (!isStopped) retry = later(() => void attempt(), retryMs)
      return `not yet: ${why}`
    }
  }

  return {
    open: attempt,
    stop() {
      isStopped = true
      clearTimeout(retry)
    },
  }
}

/** What the owner can do about it. */
export function whyNotOpen(error: unknown, port: number): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') {
    return `another program uses port ${port}: end it, or set SOC_MQTT_PORT to a free one; tried again until then`
  }
  if (code === 'EACCES') return `port ${port} is not allowed: set SOC_MQTT_PORT to one above 1023`
  return message ?? String(error)
}
