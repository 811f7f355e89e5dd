import { signal } from '@preact/signals'

/** As many lines are kept as somebody can have read. */
const MOST = 500

/**
 * The lines of a tail. While somebody reads nothing moves; what is missing is counted. What comes is
 * shown together, a few times a second: the page is laid out anew with each showing.
 */
export function createTailed<Line>(soon: (then: () => void) => void) {
  const shown = signal<Line[]>([])
  /** How many came while it was held, also those that are too many to be shown. */
  const waits = signal(0)
  /** How many the service left out, since more came than anybody reads. */
  const skipped = signal(0)
  const wasCut = signal(false)
  let waiting: Line[] = []
  let isHeld = false
  let isDue = false

  function show() {
    isDue = false
    if (isHeld || waiting.length === 0) return
    shown.value = [...waiting, ...shown.value].slice(0, MOST)
    waiting = []
    waits.value = 0
  }

  return {
    shown,
    waits,
    skipped,
    wasCut,
    hear(event: string, data: string) {
      if (event === 'log') {
        waiting = [JSON.parse(data) as Line, ...waiting].slice(0, MOST)
        if (isHeld) waits.value += 1
        else if (!isDue) {
          isDue = true
          soon(show)
        }
      } else if (event === 'skipped') {
        skipped.value += (JSON.parse(data) as { count: number }).count
      } else if (event === 'reset') wasCut.value = true
    },
    hold(isReading: boolean) {
      isHeld = isReading
      // What has come and is not shown yet waits too.
      if (isReading) waits.value = waiting.length
      else show()
    },
  }
}
