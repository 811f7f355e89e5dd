import assert from 'node:assert/strict'
import { test } from 'node:test'
import { observe, type Presence, type Sighting, UNSEEN } from './presence.ts'

const A = '04A1B2C3'
const B = '04D4E5F6'

const SIGHTINGS: Record<string, Sighting> = {
  A: { type: 'card', uid: A },
  B: { type: 'card', uid: B },
  '-': { type: 'empty' },
  lost: { type: 'lost' },
  grace: { type: 'grace-over' },
}

/** What was seen, word by word, and what it amounts to. */
const TABLE: [what: string, seen: string, deeds: string][] = [
  ['a card put down is tapped once, however often it is seen', '- A A A', 'tap A'],
  ['a card lifted is lifted when the grace is over', '- A - grace', 'tap A, wait, lift A'],
  ['a card that flickers is neither lifted nor tapped', '- A - A', 'tap A, wait, end-wait'],
  ['many empty looks are one wait', '- A - - - grace', 'tap A, wait, lift A'],
  ['every flicker is forgiven anew', '- A - A - A', 'tap A, wait, end-wait, wait, end-wait'],
  ['lifted and put back is a second tap', '- A - grace A', 'tap A, wait, lift A, tap A'],
  ['another card during the grace replaces it', '- A - B', 'tap A, wait, end-wait, lift A, tap B'],
  ['another card without an empty look replaces it', '- A B', 'tap A, lift A, tap B'],
  ['a card that lay there at the start is not tapped', 'A A', ''],
  ['a card that lay there at the start can be lifted', 'A - grace', 'wait, lift A'],
  ['and tapped when it comes again', 'A - grace A', 'wait, lift A, tap A'],
  ['a reader that vanishes lifts nothing', '- A lost', 'tap A'],
  ['nor does it while a card seemed to leave', '- A - lost grace', 'tap A, wait, end-wait'],
  ['back with the same card is no tap', '- A lost A', 'tap A'],
  ['back with nothing is a lift', '- A lost - grace', 'tap A, wait, lift A'],
  ['back with another card is a tap', '- A lost B', 'tap A, lift A, tap B'],
  ['back with a card where there was none is a tap', '- lost A', 'tap A'],
  ['lost before anything was seen', 'lost A', ''],
  ['a grace that ends over nothing', '- grace', ''],
]

for (const [what, seen, expected] of TABLE) {
  test(`presence: ${what}`, () => {
    let presence: Presence = UNSEEN
    const done: string[] = []
    for (const word of seen.split(' ')) {
      const [next, deeds] = observe(presence, SIGHTINGS[word] as Sighting)
      presence = next
      for (const deed of deeds) {
        done.push('uid' in deed ? `${deed.do} ${deed.uid === A ? 'A' : 'B'}` : deed.do)
      }
    }
    assert.equal(done.join(', '), expected)
  })
}
