import type { SKRSContext2D } from '@napi-rs/canvas'
import type { AdhanScene } from '../../ports/screen.ts'
import { GOLD, QUIET, TEXT } from './palette.ts'
import { CENTRE, HEIGHT, INNER, WIDTH } from './sides.ts'
import { drawText } from './text.ts'

const FRAME = 6

export function drawAdhan(ctx: SKRSContext2D, scene: AdhanScene) {
  const middle = { x: CENTRE, align: 'center', width: INNER } as const
  ctx.strokeStyle = GOLD
  ctx.lineWidth = 2
  ctx.strokeRect(FRAME, FRAME, WIDTH - 2 * FRAME, HEIGHT - 2 * FRAME)
  drawText(ctx, scene.call, { ...middle, y: 62, size: 26, color: GOLD })
  drawText(ctx, scene.title, { ...middle, y: 134, size: 64, color: TEXT, weight: 'bold' })
  drawText(ctx, scene.subtitle, { ...middle, y: 182, size: 26, color: TEXT })
  drawText(ctx, scene.state, { ...middle, y: 216, size: 20, color: QUIET })
}
