import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestSoc } from '../../../testing/test-soc.ts'
import { until } from '../../../testing/until.ts'

const sigma = (id: string, logsource: string) => `
title: ${id}
id: ${id}
logsource:
    ${logsource}
detection:
    keywords: [never-there]
    condition: keywords
`

test('a rule that never fired says whether it ever had data', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const call = (method: string, path: string, body?: unknown) =>
    soc.call(method, path, { as, body })
  const files = [
    { name: 'database.yml', content: sigma('on-databases', 'category: database') },
    { name: 'same.yml', content: sigma('on-databases-too', 'category: database') },
    { name: 'proxy.yml', content: sigma('on-proxies', 'category: proxy') },
  ]
  const imported = await call('POST', '/detections/rules/import?enable=true', { files })
  assert.equal(imported.body.imported, 3, JSON.stringify(imported.body))
  await call('POST', '/detections/rules', { name: 'narrow', query: 'no:such', source: 'vpn-*' })
  const read = async (name: string) => {
    const { body } = await call('GET', `/detections/rules?limit=200`)
    return body.items.find((rule: { name: string }) => rule.name === name)
  }
  const counted = async (name: string) => (await read(name)).source_events
  const events = [
    { source: 'postgres', message: 'statement' },
    { source: 'mysql', message: 'statement' },
    { source: 'vpn-1', message: 'in' },
    { source: 'sshd', message: 'in' },
  ]
  // Until the rules are in force nobody counts for them.
  await until('the events are counted', async () => {
    await call('POST', '/siem/logs', { events })
    return (await counted('on-databases')) > 0 && (await counted('narrow')) > 0
  })
  assert.equal(await counted('on-proxies'), 0)
  assert.equal((await read('on-proxies')).last_source_event_at, null)
  assert.ok((await read('on-databases')).last_source_event_at)
  const { body: same } = await call('GET', '/detections/rules?limit=200')
  const databases = same.items.filter(({ name }: { name: string }) => name.startsWith('on-data'))
  assert.equal(databases[0].source_events, databases[1].source_events)
  const { body } = await call('GET', '/detections/metrics')
  assert.equal(body.rules_without_data, 1)
})

const MEANING = 'md5(jsonb_build_array(kind, query, threshold, new_terms, sequence)::text)'

test('rules that another version has read are read again at the start, and get their sources, unless they mean something else', async (t) => {
  const before = await startTestSoc(t)
  const as = await before.signIn()
  const names = ['plain', 'mapped', 'older', 'edited', 'unknown']
  const files = names.map((name) => ({
    name: `${name}.yml`,
    content: sigma(name, 'category: database'),
  }))
  await before.call('POST', '/detections/rules/import?enable=true', { as, body: { files } })
  await before.query('UPDATE detection_rules SET source_query = NULL')
  await before.query("UPDATE detection_rules SET query = 'other' WHERE name = 'mapped'")
  await before.query(`
    UPDATE detection_rules SET query = 'as of old', read_by = 'older', warnings = '{is off: a}'
    WHERE name IN ('older', 'edited', 'unknown');
    UPDATE detection_rules SET made = ${MEANING} WHERE name IN ('older', 'edited');
    UPDATE detection_rules SET query = 'mine' WHERE name = 'edited';
    UPDATE detection_rules SET made = NULL WHERE name = 'unknown'`)

  const soc = await startTestSoc(t, { connection: before.connection })
  const read = async () => {
    const { body } = await soc.call('GET', '/detections/rules?limit=200', { as })
    const of = (name: string) => body.items.find((rule: { name: string }) => rule.name === name)
    return Object.fromEntries(names.map((name) => [name, of(name)]))
  }
  await until('events of the source are counted', async () => {
    await soc.call('POST', '/siem/logs', { as, body: { events: [{ source: 'postgres' }] } })
    return (await read()).plain.source_events > 0
  })
  const { plain, mapped, older, edited, unknown } = await read()
  assert.deepEqual(
    [older.query, older.version, older.warnings.at(-1)],
    [plain.query, 2, 'is off: a'],
  )
  assert.deepEqual([edited.query, edited.version], ['mine', 1])
  assert.equal(unknown.query, 'as of old')
  assert.match(unknown.warnings.join(), /would be read otherwise by this version: import it again/)
  assert.equal(plain.version, 1)
  assert.equal(mapped.source_events, null)
  assert.match(mapped.warnings.join(), /import it again to have them counted/)
})
