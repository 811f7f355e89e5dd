import { signal } from '@preact/signals'

/** As many lines are kept as somebody can have read. */
const MOST = 500

/** The lines of a tail. While somebody reads nothing moves; what is missing is counted. */
export function createTailed<Line>() {
  const shown = signal<Line[]>([])
  /** How many came while it was held, also those that are too many to be shown. */
  const waits = signal(0)
  /** How many the service left out, since more came than anybody reads. */
  const skipped = signal(0)
  const wasCut = signal(false)
  let waiting: Line[] = []
  let isHeld = false
  return {
    shown,
    waits,
    skipped,
    wasCut,
    hear(event: string, data: string) {
      if (event === 'log') {
        const line = JSON.parse(data) as Line
        if (!isHeld) shown.value = [line, ...shown.value].slice(0, MOST)
        else {
          waiting = [line, ...waiting].slice(0, MOST)
          waits.value += 1
        }
      } else if (event === 'skipped') {
        skipped.value += (JSON.parse(data) as { count: number }).count
      } else if (event === 'reset') wasCut.value = true
    },
    hold(isReading: boolean) {
      isHeld = isReading
      if (isReading || waiting.length === 0) return
      shown.value = [...waiting, ...shown.value].slice(0, MOST)
      waiting = []
      waits.value = 0
    },
  }
}
