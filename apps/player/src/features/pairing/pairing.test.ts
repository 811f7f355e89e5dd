import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEventBus } from '@manara/kit/event-bus'
import type { PlayerEvents } from '@manara/player-contract/events'
import { createManualClock } from '../../testing/manual-clock.ts'
import { createPairing } from './pairing.ts'

const MINUTE = 60_000

function setup({ isWanted = true, machineUptime = 3_600 } = {}) {
  const clock = createManualClock()
  const events = createEventBus<PlayerEvents>((error) => {
    throw error
  })
  const pairing = createPairing({
    ...{ isWanted, clock, events },
    machineUptime: () => machineUptime,
    address: () => 'https://minaret.local:8443',
    token: () => 'abc',
  })
  pairing.start()
  const tap = (registered: boolean) =>
    events.emit('nfc', { uid: '04A1B2C3', uid_len: 4, registered, name: '' })
  return { clock, pairing, tap }
}

const OFFER = {
  address: 'https://minaret.local:8443',
  link: 'https://minaret.local:8443/#token=abc',
}

test('an unknown card offers the link for two minutes, with the token behind the #', () => {
  const { clock, pairing, tap } = setup()
  assert.equal(pairing.offer(), undefined)
  tap(false)
  assert.deepEqual(pairing.offer(), OFFER)
  clock.advance(2 * MINUTE - 1)
  assert.deepEqual(pairing.offer(), OFFER)
  clock.advance(1)
  assert.equal(pairing.offer(), undefined)
})

test('a registered card does what it is bound to and nothing else', () => {
  const { pairing, tap } = setup()
  tap(true)
  assert.equal(pairing.offer(), undefined)
})

test('a button is an act as well', () => {
  const { pairing } = setup()
  pairing.press()
  assert.deepEqual(pairing.offer(), OFFER)
})

test('switching the box on is an act for its first two minutes; a restart of the service is none', () => {
  const fresh = setup({ machineUptime: 30 })
  assert.deepEqual(fresh.pairing.offer(), OFFER)
  fresh.clock.advance(90_000)
  assert.equal(fresh.pairing.offer(), undefined)
  assert.equal(setup({ machineUptime: 120 }).pairing.offer(), undefined)
})

test('unless the owner asked for it nothing is ever offered', () => {
  const { pairing, tap } = setup({ isWanted: false, machineUptime: 1 })
  tap(false)
  assert.throws(() => pairing.press(), /pairing is off: set PLAYER_PAIRING=screen/)
  assert.equal(pairing.offer(), undefined)
})

test('once stopped, cards are not heard', () => {
  const { pairing, tap } = setup()
  pairing.stop()
  tap(false)
  assert.equal(pairing.offer(), undefined)
})
