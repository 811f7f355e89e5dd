import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createCard } from '../apps/player/src/adapters/card-library.ts'
import { createCatalogue } from '../apps/player/src/features/library/domain/catalogue.ts'
import { type ScanOptions, scanCard } from '../apps/player/src/features/library/scan-card.ts'
import { hasMpd, startMpd } from './mpd.ts'

export const name = 'library scan'

const RECITERS = 200
const SURAHS = 114
const ROUNDS = 5
const COLD_LIMIT_MS = 1_000
const RESCAN_LIMIT_MS = 200

export async function run(print: (line: string) => void): Promise<boolean> {
  const folder = mkdtempSync(path.join(tmpdir(), 'manara-scan-'))
  try {
    const mount = path.join(folder, 'card')
    fill(mount)
    print(`${RECITERS} reciters of ${SURAHS} surahs, names in the page cache`)
    const ours = await timeOurs(mount)
    print(line('cold scan', ours.cold, COLD_LIMIT_MS))
    print(line('rescan, unchanged', ours.again, RESCAN_LIMIT_MS))
    await besideMpd(folder, mount, ours, print)
    return ours.cold <= COLD_LIMIT_MS && ours.again <= RESCAN_LIMIT_MS
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const line = (what: string, ms: number, limit: number) =>
  `${what}: ${ms.toFixed(1)} ms, ${(ms / limit).toFixed(3)} of the ${limit} ms allowed`

/** The slowest of several rounds each, down to the catalogue that requests are answered from. */
async function timeOurs(mount: string): Promise<{ cold: number; again: number }> {
  // A minute on: the files of a real card are older than the scan, and young times are distrusted.
  const now = () => Date.now() + 60_000
  const deps = { card: createCard(mount), playable: ['mp3', 'flac', 'ogg'], now }
  let cold = 0
  let again = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const { ms, folders } = await timeScan({})
    cold = Math.max(cold, ms)
    again = Math.max(again, (await timeScan({ known: folders })).ms)
  }
  return { cold, again }

  async function timeScan(options: ScanOptions) {
    const startedAt = performance.now()
    const { folders } = await scanCard(deps, options)
    const { fileCount } = createCatalogue(
      Array.from(folders, ([folder, { surahs }]) => [folder, surahs] as const),
    )
    if (fileCount !== RECITERS * SURAHS) throw new Error(`found ${fileCount} files`)
    return { ms: performance.now() - startedAt, folders }
  }
}

// MPD skips empty files, so these are real: eight silent frames of 128 kbit/s at 44.1 kHz.
function fill(mount: string) {
  const frame = Buffer.alloc(417)
  frame.writeUInt32BE(0xfffb9000)
  const sound = Buffer.concat(Array.from({ length: 8 }, () => frame))
  for (let reciter = 1; reciter <= RECITERS; reciter += 1) {
    const folder = path.join(mount, `Reciter ${reciter}`)
    mkdirSync(folder, { recursive: true })
    for (let surah = 1; surah <= SURAHS; surah += 1)
      writeFileSync(path.join(folder, `${String(surah).padStart(3, '0')}.mp3`), sound)
  }
}

/** The peer reads tags and durations as well, which we put off until somebody asks. */
async function besideMpd(
  folder: string,
  mount: string,
  ours: { cold: number; again: number },
  print: (line: string) => void,
) {
  if (!hasMpd()) {
    print('peer left out: there is no mpd here')
    return
  }
  const mpd = await startMpd(folder)
  try {
    symlinkSync(mount, path.join(folder, 'music', 'card'))
    const cold = await mpd.update()
    const again = await mpd.update()
    const songs = /^songs: (\d+)$/m.exec(await mpd.ask('stats'))?.[1]
    print(`mpd update, tags and all: ${cold.toFixed(0)} ms for ${songs} songs`)
    print(`mpd update, unchanged: ${again.toFixed(0)} ms`)
    print(
      `ours beside mpd: ${(ours.cold / cold).toFixed(3)} cold, ${(ours.again / again).toFixed(3)} again`,
    )
  } finally {
    await mpd.stop()
  }
}
