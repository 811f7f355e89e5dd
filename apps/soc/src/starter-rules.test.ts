import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { compilePredicate } from '@manara/log-query/predicate'
import type { RuleCreate } from '@manara/soc-contract/detections'
import { parse } from 'yaml'
import { createDetector } from './features/detections/domain/evaluate.ts'
import { ruleQueries } from './features/detections/domain/rule-query.ts'
import { fieldPlaceholders } from './features/detections/domain/template.ts'
import { draftRules } from './features/detections/import/draft-rules.ts'
import { normalise } from './features/siem/normalise/normalise.ts'

type Raw = string | Record<string, unknown>
type Repeated = { repeat: number; event: Raw }
type Case = (Raw | Repeated)[]
type RuleFile = { id: string; tests: { match: Case[]; ignore: Case[] } }

const NOW = Date.parse('2026-10-05T00:00:00Z')
const RULES = path.join(import.meta.dirname, '../rules')
const NAMES = readdirSync(RULES, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.yml'),
)

/** As they come in: through the parsers, a second after each other. */
function eventsOf(cases: Case) {
  const raws = cases.flatMap((one) =>
    isRepeated(one) ? Array.from({ length: one.repeat }, (_, n) => numbered(one.event, n)) : [one],
  )
  return raws.map((raw, index) => {
    const incoming = typeof raw === 'string' ? { text: raw } : { object: raw }
    const arrival = { receivedAt: NOW, way: 'test', newId: () => `log-${index}` }
    return { ...normalise(incoming, arrival), at: NOW + index * 1_000 }
  })
}

const isRepeated = (one: Raw | Repeated): one is Repeated =>
  typeof one === 'object' && typeof one.repeat === 'number'

const numbered = (raw: Raw, n: number): Raw =>
  JSON.parse(JSON.stringify(raw).replaceAll('{n}', String(n)))

function hitsOf(rule: RuleCreate, events: ReturnType<typeof eventsOf>) {
  const tests = ruleQueries(rule, NOW).map(compilePredicate)
  const detector = createDetector(rule)
  return events.filter((log) => {
    const steps = tests.flatMap((matches, step) => (matches(log) ? [step] : []))
    return steps.length > 0 && detector.feed(log, steps) !== undefined
  })
}

describe('the starter pack', () => {
  for (const name of NAMES) {
    test(`${name} finds its own events and no others`, () => {
      const content = readFileSync(path.join(RULES, name), 'utf8')
      const { id, tests }: RuleFile = parse(content)
      const { drafts, skipped } = draftRules([{ name, content }], true, NOW)
      assert.deepEqual(skipped, [])
      const [draft] = drafts
      assert.ok(draft)
      const { rule } = draft
      assert.equal(id, `manara-${name.replace('.yml', '').replace('/', '-')}`)
      assert.equal(rule.schedule_enabled, rule.kind !== 'query')
      assert.ok(tests.match.length > 0 && tests.ignore.length > 0)
      for (const one of tests.match) {
        const events = eventsOf(one)
        assert.ok(hitsOf(rule, events).length > 0, `should match ${JSON.stringify(events)}`)
        for (const field of fieldPlaceholders(rule.alert_title_template)) {
          assert.ok(Object.hasOwn(events.at(-1)?.fields ?? {}, field), `{${field}} is there`)
        }
      }
      for (const one of tests.ignore) {
        const events = eventsOf(one)
        assert.deepEqual(hitsOf(rule, events), [], `should not match ${JSON.stringify(events[0])}`)
      }
    })
  }

  test('has rules for Linux, Windows, web, identity and CPS', () => {
    const areas = new Set(NAMES.map((name) => name.split('/')[0]))
    assert.deepEqual([...areas].sort(), ['cps', 'identity', 'linux', 'web', 'windows'])
    assert.ok(NAMES.length >= 40)
  })
})
