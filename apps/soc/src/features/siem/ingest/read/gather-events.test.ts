import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as packer from '../../../../adapters/duckdb-logs/pack-logs.ts'
import { logsIn } from '../../../../core/arrivals/log-lines.ts'
import type { Matching } from '../../../../core/arrivals/matched.ts'
import { storedLog } from '../../../../testing/stored-log.ts'
import { tallyOf } from '../tally.ts'
import { gatherEvents } from './gather-events.ts'
import type { Part } from './part.ts'
import type { Packer } from './protocol.ts'

const PART: Part = {
  ...{ from: 0, size: 0, logs: [], rejections: [], kinds: [], named: [] },
  ...{ unread: 0, work: 0, hangs: 0, isLast: false },
}
const eventsOf = (count: number, source: string) =>
  Array.from({ length: count }, (_, at) =>
    storedLog({ id: `${source} ${at}`, source, message: `${at} `.repeat(at % 40), received_at: 7 }),
  )
const isEven = ({ id }: { id: string }) => /[02468]$/.test(id)

/** Tells how many it looked at, and how long the last was. */
const matching: Matching = {
  setRules: () => {},
  begin() {
    const sizes: number[] = []
    return {
      add: (_, characters) => sizes.push(characters),
      finish: () => ({
        edition: sizes.length,
        found: [],
        hits: {},
        seen: { last: sizes.at(-1) ?? 0 },
      }),
    }
  },
}

function gatheredBy(by: Packer | undefined, events: ReturnType<typeof eventsOf>): Part {
  const gathering = gatherEvents(by, [isEven, () => false], matching)
  for (let at = 0; at < events.length; at += 128) {
    const some = events.slice(at, at + 128)
    gathering.add(
      some,
      some.map((_, place) => at + place),
    )
  }
  return gathering.into(PART)
}

const gathered = (events: ReturnType<typeof eventsOf>) => gatheredBy(packer, events)

test('events stay as they are, with a packer a bundle holds all that was made of each', () => {
  const few = eventsOf(63, 'few')
  assert.deepEqual(gatheredBy(undefined, few), { ...PART, logs: few })
  assert.deepEqual(gathered([]), PART, 'of no event nothing is made')
  for (const count of [1, 65, 1_500]) {
    const events = eventsOf(count, 'many')
    const { logs, bundle } = gathered(events)
    assert.ok(bundle)
    assert.deepEqual(logs, [])
    assert.deepEqual(bundle.packed, packer.packLogs(events))
    assert.deepEqual(packer.unpackLogs(bundle.packed), events)
    assert.equal(bundle.lines, undefined, 'nobody needs them')
    assert.deepEqual([bundle.tally, bundle.receivedAt], [tallyOf(events), 7])
    const matched = { edition: count, found: [], hits: {}, seen: { last: count - 1 } }
    assert.deepEqual(bundle.matched, matched, 'all of them were looked at')
    const places = [...events.keys()].filter((place) => place % 2 === 0)
    assert.deepEqual(bundle.picked, [
      { places, logs: places.map((place) => events[place]) },
      { places: [], logs: [] },
    ])
  }
})

test('a part that was given up leaves nothing in the next', () => {
  const gathering = gatherEvents(packer, [])
  gathering.add(eventsOf(100, 'given up'), Array(100).fill(0))
  const events = eventsOf(70, 'next')
  const { bundle } = gathered(events)
  assert.deepEqual(bundle?.packed, packer.packLogs(events))
  assert.deepEqual(bundle && packer.unpackLogs(bundle.packed), events)
})

test('lines are made for rules that match elsewhere', () => {
  const events = eventsOf(70, 'some')
  const isNothingMatched: Matching = { setRules: () => {}, begin: () => undefined }
  const isGivenUp: Matching = {
    setRules: () => {},
    begin: () => ({ add: () => {}, finish: () => undefined }),
  }
  for (const rules of [undefined, isNothingMatched, isGivenUp]) {
    const gathering = gatherEvents(packer, [], rules)
    gathering.add(events, Array(70).fill(0))
    const { bundle } = gathering.into(PART)
    assert.deepEqual(bundle?.lines && [...logsIn(bundle.lines)], events)
  }
})
