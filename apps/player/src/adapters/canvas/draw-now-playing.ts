import type { SKRSContext2D } from '@napi-rs/canvas'
import type { NowPlayingScene } from '../../ports/screen.ts'
import { drawBeads } from './beads.ts'
import { GOLD, QUIET, TEXT } from './palette.ts'
import { drawProgressBar } from './progress-bar.ts'
import { CENTRE, drawTopLine, INNER, MARGIN, sides, WIDTH } from './sides.ts'
import { drawText } from './text.ts'

export function drawNowPlaying(ctx: SKRSContext2D, scene: NowPlayingScene) {
  const middle = { x: CENTRE, align: 'center', width: INNER } as const
  drawTopLine(ctx, scene.top, scene.isRtl)
  drawText(ctx, scene.title, {
    ...{ ...middle, y: 86, size: 44, smallest: 22 },
    color: TEXT,
    weight: 'bold',
  })
  drawText(ctx, scene.subtitle, { ...middle, y: 120, size: 22, smallest: 18, color: GOLD })
  drawText(ctx, scene.detail, { ...middle, y: 147, size: 20, smallest: 17, color: QUIET })
  if (scene.beads) drawBeads(ctx, 167, scene.beads, scene)
  else if (scene.progress !== null) drawProgressBar(ctx, 163, 8, scene.progress)
  drawTimes(ctx, scene)
  drawNotes(ctx, scene)
}

/** Time runs from left to right as the bar does. */
function drawTimes(ctx: SKRSContext2D, { elapsed, total, state }: NowPlayingScene) {
  const line = { y: 192, size: 18, width: 90, color: TEXT }
  drawText(ctx, elapsed, { ...line, x: MARGIN })
  drawText(ctx, state, { ...line, x: CENTRE, align: 'center', width: 110, color: GOLD })
  drawText(ctx, total, { ...line, x: WIDTH - MARGIN, align: 'right' })
}

function drawNotes(ctx: SKRSContext2D, { note, aside, isWaiting, isRtl }: NowPlayingScene) {
  const [first, second] = sides(isRtl)
  const line = { y: 226, size: 18, smallest: 15 }
  const weight = isWaiting ? 'bold' : 'normal'
  const color = isWaiting ? GOLD : QUIET
  drawText(ctx, note, { ...line, ...first, width: isWaiting ? 150 : 200, color: TEXT })
  drawText(ctx, aside, { ...line, ...second, width: isWaiting ? 135 : 85, color, weight })
}
