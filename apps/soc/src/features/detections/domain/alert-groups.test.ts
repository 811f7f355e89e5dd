import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AlertCreate } from '@manara/soc-contract/alerts'
import type { DetectionRule } from '@manara/soc-contract/detections'
import type { StoredLog } from '../../../ports/log-store.ts'
import { showcase } from '../../../showcase/showcase.ts'
import { storedLog } from '../../../testing/stored-log.ts'
import { alertGroups } from './alert-groups.ts'

const rule: DetectionRule = {
  ...(showcase.rules[0] as DetectionRule),
  name: 'Odd shell',
  alert_title_template: '{rule_name} on {host}',
  tags: ['linux'],
}
const groups = (logs: StoredLog[], changed: Partial<DetectionRule> = {}) =>
  alertGroups(
    { ...rule, ...changed },
    logs.map((log) => ({ log, members: [log.id] })),
  )

test('events that read the same on one host are one alert that happened as often', () => {
  const logs = [
    storedLog({ id: 'a', host: 'web-1', src_ip: '203.0.113.1' }),
    storedLog({ id: 'b', host: 'web-2' }),
    storedLog({ id: 'c', host: 'web-1', src_ip: '203.0.113.2' }),
  ]
  const [first, second] = groups(logs)
  assert.deepEqual(first?.logIds, ['a', 'c'])
  assert.equal(first?.occurrences, 2)
  assert.deepEqual(first?.alert.iocs, ['203.0.113.1', '203.0.113.2'])
  assert.deepEqual(second?.logIds, ['b'])
})

test('an alert says what the rule and the event say', () => {
  const log = storedLog({
    id: 'a',
    host: 'web-1',
    source: 'linux',
    message: 'sh',
    fields: { pid: 7 },
  })
  const [group] = groups([log])
  const { raw, ...alert } = group?.alert ?? assert.fail('no alert')
  assert.deepEqual(alert, {
    title: 'Odd shell on web-1',
    source: 'linux',
    severity: rule.alert_severity,
    status: 'new',
    description: 'sh\n\nHost: web-1\nATT&CK: T1059.001 PowerShell, T1204.002 Malicious File',
    source_ref: 'a',
    iocs: [],
    host: 'web-1',
    tags: ['linux'],
    rule_id: rule.id,
    mitre_techniques: rule.mitre_techniques,
    first_seen_at: new Date(log.at),
    last_seen_at: new Date(log.at),
  })
  assert.equal(raw?.timestamp, new Date(log.at).toISOString())
  assert.deepEqual(raw?.fields, { pid: 7 })
})

test('a title names somebody, even when no machine is named', () => {
  const titles = groups([storedLog({ host: null, user: 'ann' })]).map(({ alert }) => alert.title)
  assert.deepEqual(titles, ['Odd shell on ann'])
})

test('titles with ever new values share one alert beyond fifty', () => {
  const logs = Array.from({ length: 80 }, (_, index) => storedLog({ message: `m${index}` }))
  const made = groups(logs, { alert_title_template: '{message}' })
  assert.equal(made.length, 51)
  assert.equal(made.at(-1)?.occurrences, 30)
  assert.equal(made.at(-1)?.alert.title, 'Odd shell: further matches')
})

test('whatever an event holds, its alert can be stored', () => {
  const odd = storedLog({
    id: 'x',
    source: ` \0`,
    host: `h${'o'.repeat(400)}\ud83d\ude00`,
    message: `${'m'.repeat(30_000)}\0`,
    fields: { 'na\0me': ['\ud800', null, 1] },
  })
  for (const template of ['{message}', '{absent}', '{host}\n {message}', '{user}']) {
    const [group] = groups([odd], { alert_title_template: template })
    AlertCreate.parse(JSON.parse(JSON.stringify(group?.alert)))
  }
})
