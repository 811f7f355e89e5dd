import type { SKRSContext2D } from '@napi-rs/canvas'
import type { PairingScene } from '../../ports/screen.ts'
import { QUIET, TEXT } from './palette.ts'
import { HEIGHT, MARGIN, WIDTH } from './sides.ts'
import { drawParagraph, drawText } from './text.ts'

export type QrCode = { size: number; get(x: number, y: number): boolean }

// With the light rim of four modules that readers need.
const RIM = 4
const SQUARE = 200

export function drawPairing(
  ctx: SKRSContext2D,
  scene: PairingScene,
  encode: (text: string) => QrCode,
) {
  const [left, text] = scene.isRtl
    ? [WIDTH - MARGIN - SQUARE, MARGIN]
    : [MARGIN, 2 * MARGIN + SQUARE]
  const width = WIDTH - SQUARE - 3 * MARGIN
  const top = (HEIGHT - SQUARE) / 2 - 12
  ctx.fillStyle = '#ffffff'
  ctx.fillRect(left, top, SQUARE, SQUARE)
  if (scene.link) drawCode(ctx, encode(scene.link), left, top)
  const align = scene.isRtl ? ('right' as const) : ('left' as const)
  const x = scene.isRtl ? text + width : text
  const column = { x, align, width }
  drawParagraph(ctx, scene.title, {
    ...{ ...column, y: 44, size: 21, color: TEXT, weight: 'bold' },
    ...{ lines: 2, lineHeight: 26 },
  })
  drawParagraph(ctx, scene.hint, {
    ...{ ...column, y: 104, size: 16, color: QUIET },
    ...{ lines: 5, lineHeight: 21 },
  })
  drawText(ctx, scene.address, {
    ...{ x: WIDTH / 2, y: HEIGHT - 10, align: 'center', width: WIDTH - 2 * MARGIN },
    ...{ size: 17, smallest: 11, color: TEXT },
  })
}

function drawCode(ctx: SKRSContext2D, code: QrCode, left: number, top: number) {
  const module = Math.floor(SQUARE / (code.size + 2 * RIM))
  // On whole pixels, so that no light seams run through it.
  const offset = Math.floor((SQUARE - module * code.size) / 2)
  ctx.fillStyle = '#000000'
  for (let y = 0; y < code.size; y += 1) {
    for (let x = 0; x < code.size; x += 1) {
      if (code.get(x, y)) {
        ctx.fillRect(left + offset + x * module, top + offset + y * module, module, module)
      }
    }
  }
}
