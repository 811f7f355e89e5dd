import { AppError } from '@manara/kit/errors'
import type { Logger } from '@manara/kit/logging'

type Opened = { where: string; stop(): Promise<void> }

export type KeepOpening<Thing extends Opened> = {
  /** Resolves after the first try: where it is, or why it is not there yet. */
  open(): Promise<string>
  opened(): Thing | undefined
  /** Closes what is open, and what a try under way has yet to open. */
  stop(): Promise<void>
}

/**
 * Until it is open it is tried again, and again. Why it failed is said once, and again when that
 * changes: not with every try.
 */
export function keepOpening<Thing extends Opened>({
  open,
  log,
  retryMs,
  explain,
  later = (work, ms) => setTimeout(work, ms),
}: {
  open(): Promise<Thing>
  log: Pick<Logger, 'error' | 'info'>
  retryMs: number
  explain(error: unknown): string
  later?(work: () => void, ms: number): NodeJS.Timeout
}): KeepOpening<Thing> {
  let opened: Thing | undefined
  let trying: Promise<string> | undefined
  let retry: NodeJS.Timeout | undefined
  let said: string | undefined
  let isStopped = false

  function attempt(): Promise<string> {
    trying = tryOnce()
    return trying
  }

  async function tryOnce(): Promise<string> {
    try {
      opened = await open()
      if (said !== undefined) log.info(`devices can connect now: ${opened.where}`)
      said = undefined
      return opened.where
    } catch (error) {
      const why = explain(error)
      // Where it was bound to fail, a trace says nothing.
      const trace = error instanceof AppError ? {} : { err: error }
      if (why !== said) log.error(trace, `devices cannot connect yet: ${why}`)
      said = why
      if (!isStopped) retry = later(() => void attempt(), retryMs)
      return `not yet: ${why}`
    }
  }

  return {
    open: attempt,
    opened: () => opened,
    async stop() {
      isStopped = true
      clearTimeout(retry)
      await trying
      await opened?.stop()
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
