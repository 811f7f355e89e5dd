/** Browsers stop laying out at about 17 (Firefox) to 33 (Chromium) million pixels. */
const TALLEST = 8_000_000
/** Rows beside the view that are drawn already. */
const SPARE = 4
/** How far the bar may be from its place before it is set right, even while one scrolls. */
const STRAYED = 1_500

export type Rows = { first: number; last: number; offset: number }

/**
 * Which rows of a long list are in view. Past the tallest the spacer is shorter than the list: small
 * moves scroll pixel by pixel, leaps of the scroll bar land in proportion.
 */
export function createRowWindow(row: number) {
  let total = 0
  let viewport = 0
  /** Pixels of the list above the view. */
  let top = 0
  let scroll = 0
  const real = () => total * row
  const end = () => Math.max(0, real() - viewport)
  const isShortened = () => real() > TALLEST
  const place = () => (end() === 0 ? 0 : (top / end()) * (TALLEST - viewport))
  const within = (value: number) => Math.min(Math.max(value, 0), end())

  /** Where the scroll bar belongs for what is shown; asked when scrolling rests or nears an edge. */
  function settled(): number {
    if (isShortened()) scroll = Math.round(place())
    return scroll
  }

  return {
    height: () => Math.min(real(), TALLEST),
    resize(rows: number, height: number) {
      total = rows
      viewport = height
      top = within(top)
    },
    /** Answers whether it was a leap: nobody reads what lies between. */
    scrolled(to: number): boolean {
      const isLeap = Math.abs(to - scroll) > viewport * 2
      if (!isShortened()) top = to
      else if (isLeap) top = (to / (TALLEST - viewport)) * end()
      else top += to - scroll
      top = within(top)
      scroll = to
      return isLeap
    },
    settled,
    hasStrayed: () => isShortened() && Math.abs(scroll - place()) > STRAYED,
    /** Moves the view so that a row is in it; answers the new place of the scroll bar. */
    reveal(index: number): number {
      const from = index * row
      if (from < top) top = from
      else if (from + row > top + viewport) top = from + row - viewport
      else return scroll
      if (!isShortened()) scroll = top
      return settled()
    },
    /**
     * Always as many rows, so that the places they are drawn in are used again and none is made
     * anew. `offset` stands still while one scrolls pixel by pixel: rows that stay are not touched.
     */
    rows(): Rows {
      const count = Math.min(total, Math.ceil(viewport / row) + 1 + 2 * SPARE)
      const first = Math.min(Math.max(0, Math.floor(top / row) - SPARE), total - count)
      return { first, last: first + count - 1, offset: Math.round(top - scroll) }
    },
  }
}
export type RowWindow = ReturnType<typeof createRowWindow>
