import type { SKRSContext2D } from '@napi-rs/canvas'
import { GOLD, TEXT, TROUGH } from './palette.ts'
import { CENTRE, INNER } from './sides.ts'

const APART = 22
const RADIUS = 6

type Look = { isRtl: boolean; isWaiting: boolean }

/** A string of beads, counted from where reading begins: gold is done, white is the one that is on. */
export function drawBeads(
  ctx: SKRSContext2D,
  y: number,
  { done, of }: { done: number; of: number },
  { isRtl, isWaiting }: Look,
) {
  const apart = Math.min(APART, INNER / of)
  const radius = Math.min(RADIUS, apart / 2 - 1)
  const first = CENTRE - (apart * (of - 1)) / 2
  for (let bead = 0; bead < of; bead += 1) {
    const at = isRtl ? of - 1 - bead : bead
    const isOn = bead === done && !isWaiting
    ctx.fillStyle = bead < done ? GOLD : isOn ? TEXT : TROUGH
    ctx.beginPath()
    ctx.arc(first + apart * at, y, radius, 0, 2 * Math.PI)
    ctx.fill()
  }
}
