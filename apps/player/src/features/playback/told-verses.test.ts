import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import type { SurahVerses } from '@manara/player-contract/verses'
import { createManualClock } from '../../testing/manual-clock.ts'
import { createSimAudio } from '../../testing/sim-audio.ts'
import { barePlayer } from './testing/bare-player.ts'

const only = (verse: number): SurahVerses => ({
  verses: [{ verse, path: '111.wav', start_ms: 0, end_ms: 60_000, sure: true, margin: 3 }],
})

test('of what is paused the verse is told when it becomes known, and when it becomes another', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'verses-'))
  let found = Promise.withResolvers<SurahVerses>()
  const { player, events, end } = barePlayer(folder, {
    ...{ audio: createSimAudio().output, clock: createManualClock() },
    resolve: async (file) => file,
    versesOf: () => found.promise,
  })
  await player.start()
  t.after(async () => {
    await end()
    rmSync(folder, { recursive: true })
  })
  const told: (number | undefined)[] = []
  events.on('playback', ({ verse }) => told.push(verse))

  await player.play({ kind: 'file', path: '111.wav', reciter: 'R', surah_number: 111 })
  await player.command({ type: 'pause' })
  assert.ok(told.length > 0 && told.every((verse) => verse === undefined))
  found.resolve(only(1))
  await player.settled()
  assert.equal(told.at(-1), 1)

  found = Promise.withResolvers()
  found.resolve(only(2))
  await player.versesChanged()
  assert.equal(told.at(-1), 2)
})
