export type Remembered<T> = () => Promise<T | undefined>

type RememberOptions = {
  now(): number
  /** An answer serves all who ask within this time. */
  forMs: number
  /** Who asks waits so long at most, and is told that nothing is known. */
  patienceMs: number
}

/**
 * Reads at most once at a time and once in a while, however many ask, so that being watched costs
 * little and an engine that hangs holds up nobody. Undefined while it cannot be read: old numbers
 * would look like new ones.
 */
export function remember<T>(read: () => Promise<T>, options: RememberOptions): Remembered<T> {
  const { now, forMs, patienceMs } = options
  let reading: Promise<T | undefined> | undefined
  let readAt = Number.NEGATIVE_INFINITY
  let last: T | undefined

  async function readAnew(): Promise<T | undefined> {
    try {
      last = await read()
    } catch {
      last = undefined
    }
    readAt = now()
    reading = undefined
    return last
  }

  return async () => {
    if (now() - readAt < forMs) return last
    reading ??= readAnew()
    let timer: NodeJS.Timeout | undefined
    const tooLong = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), patienceMs)
    })
    const answer = await Promise.race([reading, tooLong])
    clearTimeout(timer)
    return answer
  }
}
