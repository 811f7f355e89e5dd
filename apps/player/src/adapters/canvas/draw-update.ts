import type { SKRSContext2D } from '@napi-rs/canvas'
import type { UpdateScene } from '../../ports/screen.ts'
import { GOLD, QUIET, TEXT } from './palette.ts'
import { drawProgressBar } from './progress-bar.ts'
import { CENTRE, drawTopLine, INNER } from './sides.ts'
import { drawText } from './text.ts'

export function drawUpdate(ctx: SKRSContext2D, scene: UpdateScene) {
  const middle = { x: CENTRE, align: 'center', width: INNER } as const
  drawTopLine(ctx, scene.top, scene.isRtl)
  drawText(ctx, scene.title, { ...middle, y: 76, size: 30, color: TEXT, weight: 'bold' })
  drawText(ctx, scene.step, { ...middle, y: 110, size: 22, smallest: 18, color: GOLD })
  drawProgressBar(ctx, 132, 14, scene.progress)
  drawText(ctx, scene.percent, { ...middle, y: 180, size: 26, color: TEXT, weight: 'bold' })
  drawText(ctx, scene.warning, { ...middle, y: 220, size: 20, smallest: 17, color: QUIET })
}
