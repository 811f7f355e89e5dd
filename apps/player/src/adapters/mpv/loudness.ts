const STEP_MS = 10
/** Where this process or mpv had no time for a while, a fade goes on from where it was: it never jumps. */
const MOST_MS = 3 * STEP_MS

/**
 * mpv knows one volume. It is the one that was chosen, times a level that fades in steps too small
 * to be heard; both are by ear, since mpv's volume is cubic.
 */
export function createLoudness(apply: (percent: number) => Promise<unknown>, percent = 100) {
  let volume = percent
  let level = 1
  let endSlide: ((isThere: boolean) => void) | undefined

  const send = () => apply(volume * level)
  const end = () => endSlide?.(false)

  /** Whether it got there: another may have taken its place. */
  function slide(to: number, duration_ms: number): Promise<boolean> {
    end()
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const from = level
    let passed_ms = 0
    let before = performance.now()
    let isHeard = true
    const timer = setInterval(() => {
      const since_ms = performance.now() - before
      before += since_ms
      // A step that mpv has not heard of yet would become one with the next.
      if (!isHeard) return
      passed_ms += Math.min(since_ms, MOST_MS)
      const share = Math.min(1, passed_ms / duration_ms)
      level = from + (to - from) * share
      isHeard = false
      const told = () => {
        isHeard = true
      }
      void send().then(told, told)
      if (share === 1) endSlide?.(true)
    }, STEP_MS)
    endSlide = (isThere) => {
      clearInterval(timer)
      endSlide = undefined
      resolve(isThere)
    }
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
    async fade(to: number, duration_ms: number): Promise<boolean> {
      if (duration_ms > 0) return slide(to, duration_ms)
      end()
      level = to
      await send()
      return true
    },
    end,
  }
}
