import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { storedLog } from '../../../testing/stored-log.ts'
import { createDetector, lookBackMs, type RuleParameters } from './evaluate.ts'

const rule = (rest: Partial<RuleParameters>): RuleParameters => ({
  kind: 'query',
  threshold: null,
  new_terms: null,
  sequence: null,
  ...rest,
})
const threshold = (rest: Partial<NonNullable<RuleParameters['threshold']>> = {}) =>
  rule({
    kind: 'threshold',
    threshold: { count: 3, group_by: ['user'], window_seconds: 60, distinct_field: null, ...rest },
  })
const sequence = (rest: Partial<NonNullable<RuleParameters['sequence']>> = {}) =>
  rule({
    kind: 'sequence',
    sequence: {
      steps: [{ query: 'a' }, { query: 'b' }],
      group_by: ['user'],
      window_seconds: 60,
      is_ordered: true,
      ...rest,
    },
  })

/** `12 kim ab 10.0.0.1` is the event `e12` at second 12, of user kim, matching steps a and b. */
function run(parameters: RuleParameters, events: string[]): string[] {
  const { feed } = createDetector(parameters)
  return events.flatMap((text) => {
    const [second = '', user = '', letters = 'a', address] = text.split(' ')
    const log = storedLog({
      id: `e${second}${letters}${user}`,
      at: Number(second) * 1_000,
      user: user === '-' ? null : user,
      src_ip: address ?? null,
    })
    const hit = feed(
      log,
      [...letters].map((letter) => letter.charCodeAt(0) - 97),
    )
    return hit ? [hit.members.join(' ')] : []
  })
}

test('a query rule hits with every event', () => {
  assert.deepEqual(run(rule({}), ['1 kim', '2 kim']), ['e1akim', 'e2akim'])
})

test('a threshold is reached by the n-th event of a group within the window', () => {
  assert.deepEqual(run(threshold(), ['1 kim', '2 lee', '3 kim', '4 KIM', '5 lee']), [
    'e1akim e3akim e4aKIM',
  ])
})

test('a threshold is not reached by events too far apart, or without the field', () => {
  assert.deepEqual(run(threshold(), ['1 kim', '30 kim', '61 kim']), [])
  assert.deepEqual(run(threshold(), ['1 kim', '30 kim', '60 kim']), ['e1akim e30akim e60akim'])
  assert.deepEqual(run(threshold(), ['1 -', '2 -', '3 -']), [])
})

test('a threshold hits once until the count has fallen below it', () => {
  const flood = Array.from({ length: 100 }, (_, second) => `${second} kim`)
  assert.equal(run(threshold(), flood).length, 1)
  assert.equal(run(threshold(), [...flood, '300 kim', '301 kim', '302 kim']).length, 2)
})

test('a threshold over different values counts each value once', () => {
  const distinct = threshold({ distinct_field: 'src_ip' })
  assert.deepEqual(run(distinct, ['1 kim a 10.0.0.1', '2 kim a 10.0.0.1', '3 kim a 10.0.0.2']), [])
  assert.equal(
    run(distinct, ['1 kim a 10.0.0.1', '2 kim a 10.0.0.2', '3 kim a 10.0.0.3']).length,
    1,
  )
})

test('a threshold without a group counts all events together', () => {
  assert.equal(run(threshold({ group_by: [] }), ['1 kim', '2 lee', '3 -']).length, 1)
})

test('a sequence is complete with its last step, by one group, in order and in time', () => {
  assert.deepEqual(run(sequence(), ['1 kim a', '2 lee b', '3 kim b']), ['e1akim e3bkim'])
  assert.deepEqual(run(sequence(), ['1 kim b', '2 kim a']), [])
  assert.deepEqual(run(sequence(), ['1 kim a', '61 kim b']), [])
})

test('a sequence is complete once for each time its last step but one was taken', () => {
  assert.deepEqual(run(sequence(), ['1 kim a', '2 kim b', '3 kim b', '4 kim a', '5 kim b']), [
    'e1akim e2bkim',
    'e4akim e5bkim',
  ])
})

test('a sequence of three takes the latest beginning that is still in time', () => {
  const three = sequence({ steps: [{ query: 'a' }, { query: 'b' }, { query: 'c' }] })
  assert.deepEqual(run(three, ['1 kim a', '30 kim a', '40 kim b', '80 kim c']), [
    'e30akim e40bkim e80ckim',
  ])
  assert.deepEqual(run(three, ['1 kim a', '30 kim b', '40 kim a', '80 kim c']), [])
})

test('one event is one step of a sequence, also when it fits two', () => {
  assert.deepEqual(run(sequence(), ['1 kim ab']), [])
  assert.deepEqual(run(sequence(), ['1 kim ab', '2 kim ab']), ['e1abkim e2abkim'])
})

test('in any order a sequence is complete when no step is missing', () => {
  const anyOrder = sequence({ is_ordered: false })
  assert.deepEqual(run(anyOrder, ['1 kim b', '2 kim a']), ['e1bkim e2akim'])
  assert.deepEqual(run(anyOrder, ['1 kim b', '2 lee a', '61 kim a']), [])
  assert.equal(run(anyOrder, ['1 kim b', '2 kim a', '3 kim a', '4 kim b']).length, 1)
})

test('the steps of a sequence may have the group under other names', () => {
  const lateral = sequence({
    group_by: ['user'],
    steps: [{ query: 'a' }, { query: 'b', group_by: ['src_ip'] }],
  })
  assert.equal(run(lateral, ['1 10.0.0.1 a', '2 kim b 10.0.0.1']).length, 1)
})

const MANY = { count: 3, group_by: ['user'], window_seconds: 30, distinct_field: null }
const bruteForce = (rest: Partial<NonNullable<RuleParameters['sequence']>> = {}) =>
  sequence({ steps: [{ query: 'a', threshold: MANY }, { query: 'b' }], ...rest })

test('a step of a sequence may want so many events', () => {
  assert.deepEqual(run(bruteForce(), ['1 kim a', '2 kim a', '3 kim b']), [])
  assert.deepEqual(run(bruteForce(), ['1 kim a', '2 lee a', '3 kim a', '4 kim b']), [])
  assert.deepEqual(run(bruteForce(), ['1 kim a', '2 kim a', '40 kim a', '41 kim b']), [])
  assert.deepEqual(run(bruteForce(), ['1 kim a', '2 kim a', '3 kim a', '4 lee b', '5 kim b']), [
    'e1akim e2akim e3akim e5bkim',
  ])
  assert.equal(
    run(bruteForce({ is_ordered: false }), ['0 kim b', '1 kim a', '2 kim a', '3 kim a']).length,
    1,
  )
})

test('a step that wants so many is taken as long as they keep coming, not only at the first', () => {
  const guessing = Array.from({ length: 200 }, (_, second) => `${second} kim a`)
  assert.equal(run(bruteForce(), [...guessing, '201 kim b']).length, 1)
  assert.equal(run(bruteForce(), [...guessing, '260 kim b']).length, 0)
})

test('a new_terms rule names the term of an event that has all its fields', () => {
  const terms = rule({
    kind: 'new_terms',
    new_terms: { fields: ['user', 'src_ip'], look_back_days: 7 },
  })
  const { feed } = createDetector(terms)
  const log = storedLog({ user: 'Kim', src_ip: '10.0.0.1' })
  assert.equal(feed(log, [0])?.term, '["kim","10.0.0.1"]')
  assert.equal(feed(storedLog({ user: 'Kim' }), [0]), undefined)
})

test('what is a hit depends on the events of the look-back alone', () => {
  const kinds = [
    threshold(),
    threshold({ distinct_field: 'src_ip', count: 2 }),
    sequence(),
    sequence({ steps: [{ query: 'a' }, { query: 'b' }, { query: 'c' }] }),
    sequence({ is_ordered: false }),
    bruteForce(),
    bruteForce({ is_ordered: false }),
  ]
  const event = fc.record({
    second: fc.integer({ min: 0, max: 400 }),
    user: fc.constantFrom('kim', 'lee'),
    letters: fc.constantFrom('a', 'b', 'c', 'ab', 'bc'),
    address: fc.constantFrom('10.0.0.1', '10.0.0.2', '10.0.0.3'),
  })
  fc.assert(
    fc.property(fc.constantFrom(...kinds), fc.array(event, { maxLength: 60 }), (kind, events) => {
      const logs = events
        .map(({ second, user, letters, address }, index) => ({
          log: storedLog({ id: `e${index}`, at: second * 1_000, user, src_ip: address }),
          steps: [...letters].map((letter) => letter.charCodeAt(0) - 97),
        }))
        .sort((a, b) => a.log.at - b.log.at)
      const hitsOf = (fed: typeof logs) => {
        const { feed } = createDetector(kind)
        return fed.flatMap(({ log, steps }) => feed(log, steps)?.log.id ?? [])
      }
      const whole = hitsOf(logs)
      for (const { log } of logs) {
        const recent = logs.filter((other) => other.log.at >= log.at - lookBackMs(kind))
        assert.equal(hitsOf(recent).includes(log.id), whole.includes(log.id))
      }
    }),
    { numRuns: 150 },
  )
})
