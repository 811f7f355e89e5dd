import type { LogStore } from '../../../ports/log-store.ts'

/** The store for somebody who cannot wait: its scans end at the deadline, and `partial` says so. */
export function untilDeadline(
  logs: LogStore,
  limits: { signal: AbortSignal; timeLimitMs: number },
): { logs: LogStore; partial(): string | null } {
  const deadline = performance.now() + limits.timeLimitMs
  let reached: number | undefined

  async function* scan(selection: Parameters<LogStore['scan']>[0]) {
    for await (const batch of logs.scan(selection, { signal: limits.signal })) {
      yield batch
      if (performance.now() < deadline) continue
      reached = batch.at(-1)?.at
      return
    }
  }
  return {
    logs: { ...logs, scan },
    partial: () =>
      reached === undefined
        ? null
        : `stopped after ${limits.timeLimitMs / 1_000} s at ${new Date(reached).toISOString()}: ask for fewer days`,
  }
}
