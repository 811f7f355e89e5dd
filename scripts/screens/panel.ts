import { mkdirSync, writeFileSync } from 'node:fs'
import { crc32, deflateSync } from 'node:zlib'
import { createCanvasPainter } from '../../apps/player/src/adapters/canvas-screen.ts'
import type { Facts } from '../../apps/player/src/features/screen/domain/facts.ts'
import { sceneOf } from '../../apps/player/src/features/screen/domain/scene.ts'
import { AL_BAQARAH, factsOf } from '../../apps/player/src/features/screen/testing/facts.ts'
import type { Frame } from '../../apps/player/src/ports/screen.ts'

const hifz = { repeat_done: 2, repeat_target: 10, pause_s: 30, waiting: false }
const repeating = { ...AL_BAQARAH, advance_mode: 'hifz_repeat', hifz } as const
const SCREENS: Record<string, Facts> = {
  idle: factsOf(),
  'idle-ar': factsOf({}, { language: 'ar' }),
  'now-playing': factsOf(repeating),
  'now-playing-ar': factsOf({ ...repeating, reciter: 'محمود خليل الحصري' }, { language: 'ar' }),
  'hifz-gap': factsOf(
    { ...repeating, position: 7_087_000, hifz: { ...hifz, waiting: true } },
    { gap_ms: 24_000 },
  ),
  adhan: factsOf({ ...AL_BAQARAH, adhan: 'asr' }),
  update: factsOf(
    {},
    { update: { in_progress: true, progress: 42, mode: 'pull', status: 'installing', error: '' } },
  ),
  error: factsOf({ error: 'the card was removed' }),
  pairing: factsOf(
    {},
    {
      pairing: {
        address: 'https://minaret.local:8443',
        link: 'https://minaret.local:8443/#token=example',
      },
    },
  ),
}

/** Every screen of the panel on the box, drawn anew into docs/images. */
export async function drawPanel() {
  const painter = await createCanvasPainter()()
  mkdirSync('docs/images', { recursive: true })
  for (const [name, facts] of Object.entries(SCREENS)) {
    const { error } = facts.playback
    const trouble = error ? ({ kind: 'playback', message: error, age_ms: 0 } as const) : undefined
    writeFileSync(`docs/images/screen-${name}.png`, png(painter.paint(sceneOf(facts, trouble), 1)))
  }
}

/** Eight bits a colour, no alpha, no filter: a screen is mostly one colour. */
function png({ width, height, rgba }: Frame): Buffer {
  const row = 1 + width * 3
  const rows = Buffer.alloc(row * height)
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const at = Math.floor(pixel / width) * row + 1 + (pixel % width) * 3
    rows.set(rgba.subarray(pixel * 4, pixel * 4 + 3), at)
  }
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0])
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}
