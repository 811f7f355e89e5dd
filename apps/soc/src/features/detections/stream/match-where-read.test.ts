import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { SharedRules } from '../../../core/arrivals/matched.ts'
import { storedLog } from '../../../testing/stored-log.ts'
import { createMatching } from './match-where-read.ts'
import { createRuleSet, type MatchRule } from './rule-set.ts'

const ruleOf = (id: string, query: string): MatchRule => ({
  ...{ id, query, source: null, host: null, match_severity: null, kind: 'query' as const },
  ...{ threshold: null, new_terms: null, sequence: null, source_key: query, source_query: query },
})
const shared = (edition: number, rules: [id: string, query: string][]): SharedRules<MatchRule> => ({
  edition,
  rules: rules.map(([id, query]) => ({ id, key: query, now: 7, rule: ruleOf(id, query) })),
})
const SHORT = 100
const logs = ['a', 'b', 'a b', 'c'].map((message, at) => storedLog({ id: `${at}`, message }))

/** With clocks that stand still until they are moved. */
function setUp() {
  const clocks = { worked: 0, now: 0 }
  const matching = createMatching({ workedMs: () => clocks.worked, now: () => clocks.now })
  const match = (of = logs, { characters = SHORT, worksMs = 0 } = {}) => {
    const part = matching.begin()
    for (const log of of) part?.add(log, characters)
    clocks.worked += worksMs
    return part?.finish()
  }
  return { clocks, matching, match }
}

test('rules match where events are read as they do in their own thread, through all changes', () => {
  const word = fc.constantFrom('a', 'b', 'c', 'a AND b', 'NOT a')
  const rules = fc.uniqueArray(fc.tuple(fc.constantFrom('1', '2', '3'), word), {
    selector: ([id]) => id,
  })
  fc.assert(
    fc.property(fc.array(rules, { minLength: 1, maxLength: 5 }), (changes) => {
      const { matching, match } = setUp()
      for (const [edition, list] of changes.entries()) {
        matching.setRules(shared(edition, list))
        const alone = createRuleSet()
        alone.set(
          list.map(([id, query]) => ruleOf(id, query)),
          7,
        )
        const expected = alone.match(logs)
        const { found = [], seen, hits = {}, edition: of } = match() ?? {}
        const inOrder = (one: typeof found) => one.toSorted((a, b) => (a.rule < b.rule ? -1 : 1))
        assert.deepEqual(inOrder(found), inOrder(expected.found))
        assert.deepEqual([seen, of], [expected.seen, edition])
        const places = new Set(found.flatMap((one) => one.logs))
        assert.deepEqual(hits, Object.fromEntries([...places].map((at) => [at, logs[at]])))
      }
    }),
    { numRuns: 60 },
  )
})

test('nothing is said of a part before there are rules, or when they are taken away', () => {
  const { matching, match } = setUp()
  assert.equal(match(), undefined)
  matching.setRules(shared(1, [['1', 'a']]))
  assert.deepEqual(match()?.found, [{ rule: '1', logs: [0, 2] }])
  matching.setRules(undefined)
  assert.equal(match(), undefined)
})

test('a part with an event that is very long is left to the thread of the rules', () => {
  const { matching, match } = setUp()
  matching.setRules(shared(1, [['1', 'a']]))
  assert.equal(match(logs, { characters: 20_000 }), undefined)
  assert.equal(match()?.edition, 1)
})

test('rules that take long here rest for a minute, or until they are changed', () => {
  const { clocks, matching, match } = setUp()
  matching.setRules(shared(1, [['1', 'a']]))
  assert.equal(match(logs, { worksMs: 1_000 })?.edition, 1, 'what was found is found')
  assert.equal(match(), undefined)
  clocks.now += 60_000
  assert.equal(match(logs, { worksMs: 1_000 })?.edition, 1)
  assert.equal(match(), undefined)
  matching.setRules(shared(2, [['1', 'b']]))
  assert.equal(match()?.edition, 2)
})
