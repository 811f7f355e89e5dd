const STEP_MS = 10

/**
 * mpv knows one volume. It is the one that was chosen, times a level that fades in steps too small
 * to be heard; both are by ear, since mpv's volume is cubic.
 */
export function createLoudness(apply: (percent: number) => Promise<unknown>, percent = 100) {
  let volume = percent
  let level = 1
  let timer: NodeJS.Timeout | undefined

  const send = () => apply(volume * level)

  function end() {
    clearInterval(timer)
    timer = undefined
  }

  /** Resolves when the slide is over or another has taken its place. */
  function slide(to: number, duration_ms: number): Promise<void> {
    end()
    const { promise, resolve } = Promise.withResolvers<void>()
    const from = level
    const began = performance.now()
    const mine = setInterval(() => {
      if (timer !== mine) {
        clearInterval(mine)
        return resolve()
      }
      const share = Math.min(1, (performance.now() - began) / duration_ms)
      level = from + (to - from) * share
      if (share === 1) {
        end()
        resolve()
      }
      void send().catch(() => {})
    }, STEP_MS)
    timer = mine
    return promise
  }

  return {
    volume: () => volume,
    /** What mpv is to be started with. */
    effective: () => volume * level,
    set(wanted: number) {
      volume = wanted
      return send()
    },
    async fade(to: number, duration_ms: number): Promise<void> {
      if (duration_ms > 0) return slide(to, duration_ms)
      end()
      level = to
      await send()
    },
    end,
  }
}
