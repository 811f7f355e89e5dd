import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSyslog } from '../ingest/syslog/read-syslog.ts'
import { CATALOGUE } from './catalogue/catalogue.ts'
import type { LogFormat, Sample, TextFormat } from './catalogue/log-format.ts'
import { rebuild } from './fields.ts'
import { type Incoming, type NormalisedLog, normalise } from './normalise.ts'
import { createOwnParsers } from './own/own-parsers.ts'
import { PARSER } from './parsed.ts'
import { createRecogniser } from './recognise.ts'
import { reread } from './reread.ts'

const RECEIVED_AT = Date.UTC(2026, 5, 1)
const NO_OWN = { apply: (log: NormalisedLog) => log }

function incomingOf({ event, program }: Sample): Incoming {
  if (typeof event === 'object') return { object: event as Record<string, unknown> }
  if (/^<\d+>/.test(event)) return readSyslog({ text: event, peer: '192.0.2.250' }, RECEIVED_AT)
  return { text: event, known: program ? { process: program } : undefined }
}

const read = (incoming: Incoming, formats?: readonly LogFormat[]) =>
  normalise(incoming, {
    ...{ receivedAt: RECEIVED_AT, way: 'api', newId: () => 'id' },
    ...(formats ? { recogniser: createRecogniser(formats) } : {}),
  })

/** As a store gives it back. */
const stored = (log: NormalisedLog): NormalisedLog => structuredClone(log)

test('every sample of the catalogue is read again as it was', () => {
  for (const { id, samples } of CATALOGUE) {
    for (const sample of samples) {
      const log = read(incomingOf(sample))
      assert.deepEqual(reread(stored(log), NO_OWN), log, id)
      const names = Object.keys(reread(stored(log), NO_OWN).fields)
      assert.deepEqual(names, Object.keys(log.fields), `${id}: what came before what was added`)
    }
  }
})

test('an event that a device signed stays its own when it is read again', () => {
  const message =
    'Nov 19 10:00:00 web-1 sshd[12]: Failed password for root from 203.0.113.9 port 22'
  const vouched = { known: { host: 'plc-1', source: 'device' }, facts: { device_id: 'd1' } }
  const forged = { id: 'd1:e1', message, device_id: 'd2', Computer: 'DC01', 'syslog.peer': 'x' }
  const own = createOwnParsers()
  const pattern = 'port %{NUMBER:host}'
  own.set([{ id: 'one', source: 'device', definition: { kind: 'grok', pattern, definitions: {} } }])
  for (const [parsers, found] of [
    [NO_OWN, undefined],
    [own, '22'],
  ] as const) {
    const log = read({ object: forged, isEnvelope: true, isVouched: true, ...vouched })
    const again = reread(stored(log), parsers)
    assert.partialDeepStrictEqual(again, vouched.known)
    const { device_id, collector, Computer } = again.fields
    assert.deepEqual([device_id, collector, Computer], ['d1', undefined, 'DC01'])
    assert.equal(again.fields['event.device_id'], 'd2')
    assert.equal(again.fields['event.host'], found)
  }
})

test('what nothing read when it came is read as if it came now', () => {
  for (const { id, samples, remembers } of CATALOGUE) {
    if (remembers) continue
    for (const sample of samples) {
      const incoming = incomingOf(sample)
      const unread = read(structuredClone(incoming), [])
      const now = read(incoming)
      const again = reread(stored(unread), NO_OWN)
      assert.equal(again.fields[PARSER], now.fields[PARSER], id)
      assert.deepEqual(plain(again), plain(now), id)
      assert.deepEqual(again.original, unread.original, 'the original stays')
      assert.deepEqual(
        [again.id, again.received_at, again.message],
        [now.id, RECEIVED_AT, unread.message],
      )
    }
  }
})

/** Without marks: unread, what the sender said and what we took for granted look the same. */
function plain(log: NormalisedLog) {
  const { _sent: _, ...fields } = rebuild(log)
  return fields
}

const door = (version: 1 | 2): TextFormat => ({
  ...{ id: 'test.door', title: 'Door', group: 'generic', kind: 'text', ecs: 'session' },
  ocsf: { class: 'base_event', activity: 'other' },
  overrules: true,
  when: { starts: ['door '] },
  read: (text) =>
    version === 1
      ? {
          source: 'doors',
          ...{ user: 'wrong', severity: 'high', src_ip: '192.0.2.1' },
          fields: { 'event.action': 'old', 'door.old': text },
        }
      : {
          source: 'doors',
          user: 'leila',
          fields: { 'event.action': 'new', sent: 'by the parser' },
        },
  samples: [],
})

test('what an earlier parser added is replaced, what the sender sent stays', () => {
  const event = { message: 'door north', host: 'gate', sent: 'by them', list: [{ a: 1 }, { a: 2 }] }
  const before = read({ object: event }, [door(1)])
  assert.partialDeepStrictEqual(before, {
    ...{ user: 'wrong', severity: 'high', src_ip: '192.0.2.1', source: 'doors', host: 'gate' },
    fields: { 'event.action': 'old', 'door.old': 'door north' },
  })
  const after = reread(stored(before), NO_OWN, createRecogniser([door(2)]))
  assert.partialDeepStrictEqual(after, {
    ...{ user: 'leila', severity: 'info', src_ip: null, source: 'doors', host: 'gate' },
    ...{ message: 'door north', original: before.original },
    fields: { 'event.action': 'new', sent: 'by them', 'list.a': [1, 2] },
  })
  assert.ok(!('door.old' in after.fields))
  const never = reread(stored(before), NO_OWN, createRecogniser([]))
  assert.deepEqual(never, read({ object: event }, []), 'as if it had never been read')
  assert.ok(!Object.keys(rebuild(after)).some((name) => name.startsWith('_filled')))
})

test('what a parser put in the place of what the header said comes back', () => {
  const syslog = () =>
    readSyslog(
      { text: '<134>1 2026-05-31T10:00:00Z gate app - - - door north', peer: '192.0.2.2' },
      RECEIVED_AT,
    )
  const before = read(syslog(), [door(1)])
  assert.equal(before.severity, 'high')
  const never = reread(stored(before), NO_OWN, createRecogniser([]))
  assert.deepEqual(never, read(syslog(), []))
})

test("a parser of the user's own, its improvement, and its end", () => {
  const own = createOwnParsers()
  const grok = (pattern: string) => ({ kind: 'grok' as const, pattern, definitions: {} })
  const event = { message: 'lift 7 by leila', source: 'lift', user: 'sender', tag: 'theirs' }
  const plain = read({ object: event })
  own.set([{ id: 'a', source: 'lift', definition: grok('lift %{INT:tag} by %{USER:user}') }])
  const first = reread(stored(plain), own)
  assert.partialDeepStrictEqual(first, { user: 'leila', fields: { tag: '7', [PARSER]: 'own:a' } })
  assert.match(first.original ?? '', /theirs/, 'what the field held stays in the original')
  own.set([{ id: 'a', source: 'lift', definition: grok('lift %{INT:lift:int}') }])
  const second = reread(stored(first), own)
  assert.partialDeepStrictEqual(second, { user: 'sender', fields: { tag: 'theirs', lift: 7 } })
  own.set([])
  const none = reread(stored(second), own)
  assert.deepEqual({ ...none, original: null }, plain)
})

test('a sender who says who parsed an event takes nothing away by that', () => {
  const event = { message: 'x', _parser: 'zeek', '_filled.user+at': null, after: 1, user: 'u' }
  const log = read({ object: event })
  const again = reread(stored(log), NO_OWN)
  assert.deepEqual(again, log)
  assert.partialDeepStrictEqual(again, {
    user: 'u',
    fields: { after: 1, 'shipper._parser': 'zeek' },
  })
})

test('events of before this was noted keep all they have, and get what is missing', () => {
  const log = read({ object: { message: 'door north', sent: 'by them' } }, [door(1)])
  const { [PARSER]: parser, ...fields } = log.fields
  const names = Object.entries(fields).filter(([name]) => !name.startsWith('_'))
  const old = { ...log, fields: { ...Object.fromEntries(names), [PARSER]: parser ?? null } }
  const after = reread(stored(old), NO_OWN, createRecogniser([door(2)]))
  assert.partialDeepStrictEqual(after.fields, { 'event.action': 'old', 'door.old': 'door north' })
  assert.equal(after.fields.sent, 'by them')
})

test('an event that was read elsewhere says who read it here', () => {
  const message = 'Failed password for ann from 192.0.2.1 port 22 ssh2'
  const object = { message, process: 'sshd', _parser: 'zeek' }
  const log = read({ object })
  const parser = log.fields[PARSER]
  assert.notEqual(parser, undefined)
  assert.notEqual(parser, 'zeek')
  for (const one of [log, reread(stored(log), NO_OWN)]) {
    const shown = rebuild(one)
    assert.deepEqual([shown[PARSER], shown[`shipper.${PARSER}`]], [parser, 'zeek'])
  }
})
