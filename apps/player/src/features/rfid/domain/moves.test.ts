import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SECOND_TAPS } from '@manara/player-contract/cards'
import type { PlaybackStatus } from '@manara/player-contract/playback'
import { CARD_REMOVAL } from '@manara/player-contract/settings'
import type { Target } from '@manara/player-contract/target'
import { liftMove, type Situation, tapMove } from './moves.ts'

const UID = '04A1B2C3'
const surah: Target = { type: 'surah', reciter: 'Husary', surah: 1 }

const situation = (
  state: PlaybackStatus['state'],
  more: { uid?: string; choice?: number; isPausedByLift?: boolean; adhan?: 'manual' | 'fajr' } = {},
): Situation => ({
  session: { uid: more.uid ?? UID, choice: 7, isPausedByLift: more.isPausedByLift ?? false },
  choice: more.choice ?? 7,
  playback: { state, ...(more.adhan ? { adhan: more.adhan } : {}) },
})

const moves = (binding: Target, at: Situation) =>
  SECOND_TAPS.map((second_tap) => tapMove({ uid: UID, binding, second_tap }, at)).join(' ')

/** One column for each of toggle, restart, next, ignore. */
const TAPS: [what: string, binding: Target, at: Situation, moves: string][] = [
  [
    'nothing was tapped before',
    surah,
    { ...situation('stopped'), session: undefined },
    'play play play play',
  ],
  ['its surah plays', surah, situation('playing'), 'pause play next nothing'],
  ['its station buffers', surah, situation('buffering'), 'pause play next nothing'],
  ['its surah is paused by hand', surah, situation('paused'), 'resume play next nothing'],
  [
    'its surah is paused by its lifting',
    surah,
    situation('paused', { isPausedByLift: true }),
    'resume play next resume',
  ],
  ['its surah is over', surah, situation('stopped'), 'play play play play'],
  ['another card plays', surah, situation('playing', { uid: '04D4E5F6' }), 'play play play play'],
  [
    'somebody chose something else',
    surah,
    situation('playing', { choice: 8 }),
    'play play play play',
  ],
  [
    'it is an action',
    { type: 'action', action: 'volume_up' },
    situation('playing'),
    'play play play play',
  ],
  ['it is the adhan', { type: 'adhan' }, situation('playing'), 'play play play play'],
  [
    'it is the adhan and sounds',
    { type: 'adhan' },
    situation('playing', { adhan: 'manual' }),
    'pause play next nothing',
  ],
  [
    'it is the adhan and that of a prayer sounds',
    { type: 'adhan' },
    situation('playing', { adhan: 'fajr' }),
    'play play play play',
  ],
]

for (const [what, binding, at, expected] of TAPS) {
  test(`a tap when ${what}`, () => assert.equal(moves(binding, at), expected))
}

/** One column for each of continue, pause, stop. */
const LIFTS: [what: string, at: Situation, moves: string][] = [
  ['its surah plays', situation('playing'), 'nothing pause stop'],
  ['its station buffers', situation('buffering'), 'nothing pause stop'],
  ['its surah is paused already', situation('paused'), 'nothing nothing stop'],
  ['its surah is over', situation('stopped'), 'nothing nothing nothing'],
  ['another card plays', situation('playing', { uid: '04D4E5F6' }), 'nothing nothing nothing'],
  ['somebody chose something else', situation('playing', { choice: 8 }), 'nothing nothing nothing'],
  ['the adhan sounds over it', situation('playing', { adhan: 'fajr' }), 'nothing later later'],
]

for (const [what, at, expected] of LIFTS) {
  test(`a lift when ${what}`, () =>
    assert.equal(CARD_REMOVAL.map((policy) => liftMove(UID, policy, at)).join(' '), expected))
}
