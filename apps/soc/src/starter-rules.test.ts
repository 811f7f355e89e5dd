import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { parse } from 'yaml'
import { fieldPlaceholders } from './features/detections/domain/template.ts'
import { draftRules } from './features/detections/import/draft-rules.ts'
import { eventsOf, hitsOf, type Sample } from './rules-as-code/run-samples.ts'

type RuleFile = { id: string; tests: { match: Sample[]; ignore: Sample[] } }

const NOW = Date.parse('2026-10-05T00:00:00Z')
const RULES = path.join(import.meta.dirname, '../rules')
const NAMES = readdirSync(RULES, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.yml'),
)

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
        const events = eventsOf(one, NOW)
        assert.ok(hitsOf(rule, events, NOW).length > 0, `should match ${JSON.stringify(events)}`)
        for (const field of fieldPlaceholders(rule.alert_title_template)) {
          assert.ok(Object.hasOwn(events.at(-1)?.fields ?? {}, field), `{${field}} is there`)
        }
      }
      for (const one of tests.ignore) {
        const events = eventsOf(one, NOW)
        assert.deepEqual(
          hitsOf(rule, events, NOW),
          [],
          `should not match ${JSON.stringify(events[0])}`,
        )
      }
    })
  }

  test('has rules for Linux, Windows, web, identity and CPS', () => {
    const areas = new Set(NAMES.map((name) => name.split('/')[0]))
    assert.deepEqual([...areas].sort(), ['cps', 'identity', 'linux', 'web', 'windows'])
    assert.ok(NAMES.length >= 40)
  })
})
