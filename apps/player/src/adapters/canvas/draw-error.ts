import type { SKRSContext2D } from '@napi-rs/canvas'
import type { ErrorScene } from '../../ports/screen.ts'
import { ALARM, GROUND, TEXT } from './palette.ts'
import { CENTRE, drawTopLine, INNER } from './sides.ts'
import { drawParagraph, drawText } from './text.ts'

export function drawError(ctx: SKRSContext2D, scene: ErrorScene) {
  const middle = { x: CENTRE, align: 'center', width: INNER } as const
  drawTopLine(ctx, scene.top, scene.isRtl)
  drawSign(ctx, CENTRE, 64)
  drawText(ctx, scene.title, { ...middle, y: 120, size: 28, color: ALARM, weight: 'bold' })
  drawParagraph(ctx, scene.message, {
    ...middle,
    ...{ y: 152, size: 20, color: TEXT, lines: 3, lineHeight: 27 },
  })
}

/** A disc with an exclamation mark, drawn: fonts differ in theirs. */
function drawSign(ctx: SKRSContext2D, x: number, y: number) {
  ctx.fillStyle = ALARM
  ctx.beginPath()
  ctx.arc(x, y, 19, 0, 2 * Math.PI)
  ctx.fill()
  ctx.fillStyle = GROUND
  ctx.fillRect(x - 2, y - 11, 4, 14)
  ctx.fillRect(x - 2, y + 7, 4, 4)
}
