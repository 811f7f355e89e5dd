import type { SKRSContext2D } from '@napi-rs/canvas'
import { GOLD, TROUGH } from './palette.ts'
import { INNER, MARGIN } from './sides.ts'

/** Fills from the left in every language, as players do. */
export function drawProgressBar(ctx: SKRSContext2D, y: number, height: number, progress: number) {
  fillPill(ctx, y, height, INNER, TROUGH)
  // Never narrower than its round ends; nothing at all before the beginning.
  if (progress > 0) fillPill(ctx, y, height, Math.max(height, INNER * progress), GOLD)
}

function fillPill(ctx: SKRSContext2D, y: number, height: number, width: number, color: string) {
  ctx.fillStyle = color
  ctx.beginPath()
  ctx.roundRect(MARGIN, y, width, height, height / 2)
  ctx.fill()
}
