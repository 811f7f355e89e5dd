import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { systemClock } from '../../adapters/system-clock.ts'
import { type Heard, numberedWav, readNumbered } from '../../adapters/testing/numbered.ts'
import type { AudioOutput } from '../../ports/audio-output.ts'
import type { Clock } from '../../ports/clock.ts'
import { barePlayer } from './testing/bare-player.ts'

const RATE = 44_100
const VERSES = 5
const VERSE_MS = 700
const LEAD_MS = 900
/** At each edge it rises or falls. */
const EDGE = Math.ceil(0.012 * RATE)
/** A position comes in steps of a device’s buffer. */
const EARLY_MS = 350

/** What every engine lets be heard of a drill, compared with its source frame by frame. */
export function drillContract(name: string, openDevice: (folder: string) => Promise<AudioOutput>) {
  async function open(t: TestContext) {
    const folder = await mkdtemp(join(tmpdir(), 'drill-'))
    await writeFile(join(folder, '111.wav'), numberedWav(RATE, 5 * RATE))
    const audio = await openDevice(folder)
    /** How long it was asked to wait, and how much was still to be heard when a round ended. */
    const asked_ms: number[] = []
    const lefts_ms: number[] = []
    const clock: Clock = {
      ...systemClock,
      after(ms, run) {
        asked_ms.push(ms)
        return systemClock.after(ms, run)
      },
    }
    audio.onEvent((event) => event.type === 'ended' && lefts_ms.push(event.left_ms ?? 0))
    const { player, events, end } = barePlayer(folder, {
      ...{ audio, clock },
      resolve: async (path) => join(folder, path),
      versesOf: async () => ({
        verses: Array.from({ length: VERSES }, (_, i) => ({
          ...{ verse: i + 1, path: '111.wav', sure: true, margin: 3 },
          start_ms: LEAD_MS + i * VERSE_MS,
          end_ms: LEAD_MS + (i + 1) * VERSE_MS,
        })),
      }),
    })
    await player.start()
    t.after(async () => {
      await end()
      await rm(folder, { recursive: true })
    })
    const over = new Promise<void>((resolve) =>
      events.on('playback', ({ state }) => state === 'stopped' && resolve()),
    )
    return {
      player,
      over,
      asked_ms,
      lefts_ms,
      heard: () => readNumbered(join(folder, 'heard.raw')),
    }
  }

  test(`${name}: a stack over five verses is heard as it should be, frame by frame`, async (t) => {
    const { player, over, asked_ms, lefts_ms, heard } = await open(t)
    const stoodStill = watchStandstill(t)
    const track = { kind: 'file', path: '111.wav', reciter: 'R', surah_number: 111 } as const
    const mode = { method: 'stack', repeat: 1, link: 1, gap_percent: 50, pause_s: 0 } as const
    await player.play(track, {}, { mode: 'hifz_verses', verses: { from: 1, to: VERSES }, ...mode })
    await over
    const rounds = [
      ...[[1], [2], [1, 2], [3], [1, 3], [4], [1, 4], [5], [1, 5]].map(([from = 0, to = from]) => ({
        first: Math.round(((LEAD_MS + (from - 1) * VERSE_MS) * RATE) / 1000),
        end: Math.round(((LEAD_MS + to * VERSE_MS) * RATE) / 1000),
      })),
    ]
    const isWhole = () => (heard().numbers.at(-1) ?? 0) >= (rounds.at(-1)?.end ?? 0) - EDGE
    while (!isWhole()) await new Promise((resolve) => setTimeout(resolve, 50))

    const runs = runsOf(heard())
    assert.equal(runs.length, rounds.length, JSON.stringify(runs))
    for (const [i, { first, end }] of rounds.entries()) {
      const run = runs[i] ?? NO_RUN
      const begins = run.first - first
      assert.ok(begins >= 0 && begins <= EDGE, `round ${i} begins ${begins} frames late`)
      const ends = end - 1 - run.last
      assert.ok(ends >= 0 && ends <= EDGE, `round ${i} ends ${ends} frames early`)
    }
    const late = runs.slice(1).map((run, i) => {
      const { first, end } = rounds[i] ?? { first: 0, end: 0 }
      const silence = run.from - (runs[i]?.to ?? 0)
      return ((silence - (end - first) / 2) * 1000) / RATE
    })
    // How late is a matter of the machine. How long a turn is to be is not: half of what was heard,
    // from its last sound on.
    let at = -1
    for (const [i, { first, end }] of rounds.slice(0, -1).entries()) {
      const planned = ((end - first) / 2 / RATE) * 1000 + (lefts_ms[i] ?? 0)
      at = asked_ms.findIndex((ms, place) => place > at && Math.abs(ms - planned) < 1)
      assert.ok(at >= 0, `turn ${i} is to last ${planned} ms; it was waited for ${asked_ms}`)
    }
    t.diagnostic(`turns late by ${late.map(Math.round)} ms`)
    for (const [i, ms] of late.entries())
      assert.ok(ms >= -EARLY_MS - stoodStill(), `turn ${i} is ${Math.round(-ms)} ms short`)
  })
}

/**
 * How long this process stood still in all: time goes by for its clock then, and none for a device
 * that is fed by it.
 */
function watchStandstill(t: TestContext): () => number {
  let stood_ms = 0
  let at = performance.now()
  const timer = setInterval(() => {
    const gap_ms = performance.now() - at
    if (gap_ms > EARLY_MS) stood_ms += gap_ms
    at += gap_ms
  }, 20)
  t.after(() => clearInterval(timer))
  return () => stood_ms
}

type Run = { first: number; last: number; from: number; to: number }
const NO_RUN: Run = { first: 0, last: 0, from: 0, to: 0 }

/** Stretches of frames that follow one another in the source: which they are, and where they were heard. */
function runsOf({ numbers, places }: Heard): Run[] {
  const runs: Run[] = []
  for (const [i, number] of numbers.entries()) {
    const [run, place = 0] = [runs.at(-1), places[i]]
    if (run && number === run.last + 1) Object.assign(run, { last: number, to: place })
    else runs.push({ first: number, last: number, from: place, to: place })
  }
  return runs
}
