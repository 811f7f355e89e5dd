import type { SKRSContext2D } from '@napi-rs/canvas'

export const FONT = 'Manara'

export type TextStyle = {
  x: number
  /** Of the line that letters stand on. */
  y: number
  size: number
  /** A text that is too wide shrinks down to this before it is cut. */
  smallest?: number
  width: number
  color: string
  align?: 'left' | 'center' | 'right'
  weight?: 'normal' | 'bold'
}

const ELLIPSIS = '…'
// A first letter, or a first digit where there is no letter before it, that is written that way.
const RIGHT_TO_LEFT = /^\P{L}*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u
// Cut between what readers take for letters, so that no vowel mark loses its letter.
const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** One line, shrunk and then cut to its width, in the direction of its first letter. */
export function drawText(ctx: SKRSContext2D, text: string, style: TextStyle) {
  if (!text) return
  const { x, y, size, smallest = size, width, color, align = 'left', weight = 'normal' } = style
  ctx.direction = RIGHT_TO_LEFT.test(text) ? 'rtl' : 'ltr'
  ctx.textAlign = align
  ctx.textBaseline = 'alphabetic'
  ctx.fillStyle = color
  let fitting = size
  setSize(ctx, fitting, weight)
  while (fitting > smallest && ctx.measureText(text).width > width) {
    fitting -= 1
    setSize(ctx, fitting, weight)
  }
  ctx.fillText(cut(ctx, text, width), x, y)
}

function setSize(ctx: SKRSContext2D, size: number, weight: 'normal' | 'bold') {
  ctx.font = `${weight} ${size}px ${FONT}`
}

function cut(ctx: SKRSContext2D, text: string, width: number): string {
  const fits = (candidate: string) => ctx.measureText(candidate).width <= width
  if (fits(text)) return text
  const parts = Array.from(letters.segment(text), ({ segment }) => segment)
  const shortened = (count: number) => parts.slice(0, count).join('').trimEnd() + ELLIPSIS
  let [kept, tooMany] = [0, parts.length]
  while (tooMany - kept > 1) {
    const middle = (kept + tooMany) >> 1
    if (fits(shortened(middle))) kept = middle
    else tooMany = middle
  }
  return shortened(kept)
}

/** Words over several lines; what does not fit on the last one is cut there. */
export function drawParagraph(
  ctx: SKRSContext2D,
  text: string,
  { lines, lineHeight, ...style }: TextStyle & { lines: number; lineHeight: number },
) {
  setSize(ctx, style.size, style.weight ?? 'normal')
  const words = text.split(/\s+/)
  for (let line = 0; line < lines && words.length > 0; line += 1) {
    const isLast = line === lines - 1
    const taken = isLast ? words.splice(0) : words.splice(0, wordsThatFit(ctx, words, style.width))
    drawText(ctx, taken.join(' '), { ...style, y: style.y + line * lineHeight })
  }
}

function wordsThatFit(ctx: SKRSContext2D, words: string[], width: number): number {
  let count = 1
  while (
    count < words.length &&
    ctx.measureText(words.slice(0, count + 1).join(' ')).width <= width
  ) {
    count += 1
  }
  return count
}
