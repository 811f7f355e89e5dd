import type { SKRSContext2D } from '@napi-rs/canvas'
import type { IdleScene } from '../../ports/screen.ts'
import { GOLD, QUIET, TEXT, TROUGH } from './palette.ts'
import { CENTRE, INNER, MARGIN, sides } from './sides.ts'
import { drawText } from './text.ts'

const middle = { x: CENTRE, align: 'center', width: INNER } as const

export function drawIdle(ctx: SKRSContext2D, scene: IdleScene) {
  drawClock(ctx, scene)
  drawText(ctx, scene.date, { ...middle, y: 116, size: 21, smallest: 17, color: TEXT })
  drawText(ctx, scene.hijri, { ...middle, y: 144, size: 21, smallest: 17, color: GOLD })
  if (scene.next) drawNext(ctx, scene.next, scene.isRtl)
  drawText(ctx, scene.notice, {
    ...middle,
    ...{ y: scene.next ? 229 : 200, size: 17, smallest: 15, color: QUIET },
  })
}

/** The figures stand in the middle with their half of the day, which is small, where reading ends. */
function drawClock(ctx: SKRSContext2D, { clock, half, isRtl }: IdleScene) {
  const figures = { y: 82, size: 78, width: 220, color: TEXT, weight: 'bold' } as const
  if (!half) return drawText(ctx, clock, { ...middle, ...figures })
  const shift = isRtl ? 22 : -22
  drawText(ctx, clock, { ...middle, ...figures, x: CENTRE + shift })
  const halfWidth = ctx.measureText(clock).width / 2
  drawText(ctx, half, {
    ...{ y: 82, size: 26, width: 60, color: QUIET },
    x: CENTRE + shift + (isRtl ? -(halfWidth + 8) : halfWidth + 8),
    align: isRtl ? 'right' : 'left',
  })
}

function drawNext(ctx: SKRSContext2D, next: NonNullable<IdleScene['next']>, isRtl: boolean) {
  const [first, second] = sides(isRtl)
  ctx.fillStyle = TROUGH
  ctx.fillRect(MARGIN, 162, INNER, 1)
  const line = { y: 194, size: 24, smallest: 18 }
  drawText(ctx, `${next.name} ${next.time}`, {
    ...{ ...line, ...first, width: 175 },
    color: TEXT,
    weight: 'bold',
  })
  drawText(ctx, next.countdown, { ...line, ...second, size: 20, width: 110, color: GOLD })
}
