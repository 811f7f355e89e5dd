import type { SKRSContext2D } from '@napi-rs/canvas'
import type { TopLine } from '../../ports/screen.ts'
import { QUIET, TEXT } from './palette.ts'
import { drawText, type TextStyle } from './text.ts'

export const WIDTH = 320
export const HEIGHT = 240
export const MARGIN = 14
export const CENTRE = WIDTH / 2
export const INNER = WIDTH - 2 * MARGIN

type Side = Pick<TextStyle, 'x' | 'align'>
const LEFT: Side = { x: MARGIN, align: 'left' }
const RIGHT: Side = { x: WIDTH - MARGIN, align: 'right' }

/** Where reading begins and where it ends. */
export const sides = (isRtl: boolean): readonly [first: Side, second: Side] =>
  isRtl ? [RIGHT, LEFT] : [LEFT, RIGHT]

export function drawTopLine(ctx: SKRSContext2D, { clock, next }: TopLine, isRtl: boolean) {
  const [first, second] = sides(isRtl)
  const line = { y: 25, size: 18, width: INNER / 2 }
  drawText(ctx, clock, { ...line, ...first, color: TEXT, weight: 'bold' })
  drawText(ctx, next, { ...line, ...second, color: QUIET })
}
