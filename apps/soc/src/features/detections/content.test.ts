import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { parse } from 'yaml'
import { openDatabase } from '../../db/database.ts'
import type { StoredLog } from '../../ports/log-store.ts'
import { silentLog } from '../../testing/test-postgres.ts'
import { startTestSoc } from '../../testing/test-soc.ts'
import { until } from '../../testing/until.ts'
import { type BacktestDeps, runBacktest } from './preview/backtest.ts'
import { startMatcher } from './stream/matcher.ts'

const sigma = (id: string, image: string, more = '') => `title: Rule ${id}
id: ${id}
logsource: { product: windows, category: process_creation }
detection: { selection: { Image|endswith: '${image}' }, condition: selection }
level: low
tags: [attack.execution, attack.t1059.003]
${more}`

const started = (id: string, image: string, minutesAgo = 1) => ({
  id,
  timestamp: new Date(Date.now() - minutesAgo * 60_000).toISOString(),
  Channel: 'Microsoft-Windows-Sysmon/Operational',
  EventID: 1,
  Computer: 'ws-1',
  Image: `C:\\Windows\\${image}`,
})

test('rules from files, and what they would find', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const call = (method: string, path: string, body?: unknown, type?: string) =>
    soc.call(method, path, { as, body, headers: type ? { 'content-type': type } : {} })
  const importYaml = (body: string | Buffer, query = '', type = 'application/yaml') =>
    call('POST', `/detections/rules/import${query}`, body, type)

  await t.test('POST /detections/rules/import takes one YAML text', async () => {
    for (const type of ['application/yaml', 'text/yaml', 'text/plain']) {
      const { status, body } = await importYaml(sigma('one', '\\one.exe'), '?enable=false', type)
      assert.equal(status, 200, JSON.stringify(body))
      assert.equal(body.imported + body.updated, 1)
      assert.equal(body.items[0].sigma_id, 'one')
      assert.equal(body.items[0].enabled, false)
    }
    const { body } = await call('GET', '/detections/rules?sigma_id=one')
    assert.equal(body.total, 1)
    assert.equal(body.items[0].sigma.source, sigma('one', '\\one.exe'))
    assert.deepEqual(body.items[0].mitre_techniques, ['T1059.003'])
  })

  await t.test('a rule that is not shared with who imports it stays as it is', async () => {
    const [engineer, manager] = [
      await soc.signInAs('detection_engineer'),
      await soc.signInAs('manager'),
    ]
    const theirs = async (content: string, by: string, plan?: object) => {
      const body = { files: [{ name: 'theirs.yml', content }], ...(plan && { plan }) }
      return soc.call('POST', '/detections/rules/import?enable=false', { as: by, body })
    }
    const first = await theirs(sigma('theirs', '\\a.exe'), engineer)
    const path = `/detections/rules/${first.body.items[0].id}`
    await soc.call('PATCH', path, { as: engineer, body: { sharing_mode: 'private' } })
    const { body: before } = await soc.call('GET', path, { as: engineer })
    const again = await theirs(sigma('theirs', '\\b.exe'), manager)
    assert.deepEqual([again.body.imported, again.body.updated], [0, 0])
    assert.match(again.body.skipped[0].reason, /not shared with you/)
    const planned = await theirs(sigma('theirs', '\\b.exe'), manager, { theirs: before.version })
    assert.equal(planned.status, 400, JSON.stringify(planned.body))
    assert.deepEqual((await soc.call('GET', path, { as: engineer })).body, before)
    await call('DELETE', path)
  })

  await t.test('it takes files in JSON, and tells what it skipped and why', async () => {
    const files = [
      { name: 'two.yml', content: sigma('two', '\\two.exe') },
      { name: 'bad.yml', content: 'title: Bad' },
    ]
    const { body } = await call('POST', '/detections/rules/import', { files })
    assert.equal(body.imported, 1)
    assert.deepEqual(
      body.skipped.map(({ file }: { file: string }) => file),
      ['bad.yml'],
    )
    assert.match(body.skipped[0].reason, /detection is missing/)
    assert.equal(body.items[0].file, 'two.yml')
  })

  await t.test(
    'it takes a zip; a rule that is there is updated and keeps what people set',
    async () => {
      const { body: two } = await call('GET', '/detections/rules?sigma_id=two')
      const [{ id }] = two.items
      await call('PATCH', `/detections/rules/${id}`, { enabled: false, auto_create_case: true })
      const zip = zipSync({
        'r/two.yml': Buffer.from(sigma('two', '\\other.exe')),
        'r/three.yml': Buffer.from(sigma('three', '\\three.exe')),
      })
      const { body } = await importYaml(Buffer.from(zip), '', 'application/zip')
      assert.deepEqual([body.imported, body.updated, body.skipped], [1, 1, []])
      const { body: rule } = await call('GET', `/detections/rules/${id}`)
      assert.match(rule.query, /other\.exe/)
      assert.deepEqual([rule.enabled, rule.auto_create_case, rule.version], [false, true, 3])
    },
  )

  await t.test('what is neither is 400 and says what to send', async () => {
    const empty = await importYaml('')
    assert.equal(empty.status, 400)
    assert.match(empty.body.detail, /^body: is empty/)
    const broken = await importYaml(gzipSync('x').subarray(0, 12), '', 'application/gzip')
    assert.equal(broken.status, 400)
    const json = await call('POST', '/detections/rules/import', { files: [{ name: 'a' }] })
    assert.equal(json.status, 400)
    assert.match(json.body.detail, /^files\.0\.content/)
    const query = await importYaml(sigma('one', 'x'), '?enable=maybe')
    assert.equal(query.status, 400)
    assert.match(query.body.detail, /enable/)
  })

  await t.test('GET …/sigma is the text it came from, and Sigma again after a change', async () => {
    const { body: list } = await call('GET', '/detections/rules?sigma_id=three')
    const [rule] = list.items
    const same = await call('GET', `/detections/rules/${rule.id}/sigma`)
    assert.equal(same.body, sigma('three', '\\three.exe'))
    assert.match(String(same.headers['content-type']), /^application\/yaml/)
    await call('PATCH', `/detections/rules/${rule.id}`, { query: 'user:kim', host: 'ws-1' })
    const changed = parse((await call('GET', `/detections/rules/${rule.id}/sigma`)).body)
    assert.equal(changed.title, 'Rule three')
    assert.equal(changed.id, 'three')
    assert.ok(changed.tags.includes('attack.t1059.003'))
    const back = await importYaml((await call('GET', `/detections/rules/${rule.id}/sigma`)).body)
    assert.deepEqual([back.body.updated, back.body.skipped], [1, []])
  })

  await t.test('a rule without an id is one rule however often it is imported', async () => {
    const nameless = sigma('x', '\\nameless.exe').replace(/^id: .*\n/m, '')
    const { body: first } = await importYaml(nameless, '?enable=false')
    assert.equal(first.imported, 1)
    assert.match(first.items[0].warnings.join(), /has no id: when its file is changed/)
    const { body: again } = await importYaml(`${nameless}\n`)
    assert.deepEqual([again.imported, again.updated, again.items[0].id], [0, 1, first.items[0].id])
    await call('DELETE', `/detections/rules/${first.items[0].id}`)
  })

  await t.test('a filter is part of its rule, which says so and is exported with it', async () => {
    const filter = `---
title: Our scanners
logsource: { product: windows }
filter: { rules: [noisy], selection: { Computer: scan-1 }, condition: not selection }
`
    const noisy = sigma('noisy', '\\noisy.exe').replace(/tags.*\n/, '')
    const { body } = await importYaml(`${noisy}${filter}`, '?enable=false')
    assert.deepEqual(body.skipped, [])
    const path = `/detections/rules/${body.items[0].id}`
    const { body: rule } = await call('GET', path)
    assert.match(rule.query, /AND NOT Computer:scan-1$/)
    assert.deepEqual(rule.warnings, ['the filter "Our scanners" leaves events out'])
    const { body: yaml } = await call('GET', `${path}/sigma`)
    assert.equal(yaml, rule.sigma.source)
    assert.match(yaml, /^---\ntitle: Our scanners$/m)
    const again = await importYaml(yaml)
    assert.deepEqual([again.body.updated, again.body.skipped], [1, []])
    assert.equal((await call('GET', path)).body.query, rule.query)
    assert.deepEqual(again.body.items[0].warnings, rule.warnings)
    const without = await importYaml(noisy)
    assert.deepEqual(without.body.items[0].warnings, [
      'its filter "Our scanners" is gone: import it together with the rule to keep it',
    ])
  })

  await t.test('GET …/sigma of a rule that Sigma cannot say is 409 with the reason', async () => {
    const { body: rule } = await call('POST', '/detections/rules', {
      name: 'Many',
      query: 'x:1',
      kind: 'threshold',
      threshold: { count: 2, window_seconds: 60 },
      enabled: false,
    })
    const { status, body } = await call('GET', `/detections/rules/${rule.id}/sigma`)
    assert.equal(status, 409)
    assert.match(body.detail, /threshold rule cannot be written as one Sigma rule/)
  })

  await t.test(
    'POST /detections/backtest finds every match of many rules and raises nothing',
    async () => {
      await importYaml(sigma('cmd', '\\cmd.exe'), '?enable=false')
      await importYaml(sigma('ps', '\\powershell.exe'), '?enable=false')
      const events = Array.from({ length: 600 }, (_, n) =>
        started(`ev-${n}`, n % 3 === 0 ? 'CMD.exe' : n % 3 === 1 ? 'powershell.exe' : 'calc.exe'),
      )
      await call('POST', '/siem/logs', { events })
      const window = { from: '2000-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' }
      const { status, body } = await call('POST', '/detections/backtest', {
        tag: 'attack.execution',
        ...window,
        include_ids: true,
      })
      assert.equal(status, 200, JSON.stringify(body))
      const found = Object.fromEntries(
        body.items.map((item: { sigma_id: string; log_ids: string[] }) => [
          item.sigma_id,
          item.log_ids,
        ]),
      )
      const expected = (rest: number) =>
        events.flatMap(({ id }, n) => (n % 3 === rest ? [id] : [])).sort()
      assert.deepEqual(found.cmd.toSorted(), expected(0))
      assert.deepEqual(found.ps.toSorted(), expected(1))
      assert.deepEqual(found.one, [])
      assert.equal(body.events_scanned, 600)
      assert.equal(body.partial, null)
      assert.equal((await call('GET', '/alerts')).body.total, 0)

      const [{ rule_id }] = body.items
      const one = await call('POST', '/detections/backtest', { rule_ids: [rule_id], ...window })
      assert.equal(one.body.items.length, 1)
      assert.equal(one.body.items[0].log_ids, undefined)
    },
  )

  await t.test('a backtest is answered in pages of its rules', async () => {
    const window = { from: '2000-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' }
    const all = await call('POST', '/detections/backtest', { all: true, ...window })
    const page = { all: true, skip: 1, limit: 1, ...window }
    const { body } = await call('POST', '/detections/backtest', page)
    assert.deepEqual(
      body.items.map(({ rule_id }: { rule_id: string }) => rule_id),
      [all.body.items[1].rule_id],
    )
    assert.equal(body.rules, all.body.items.length)
    const tooMany = await call('POST', '/detections/backtest', { ...page, limit: 5_001 })
    assert.equal(tooMany.status, 400)
  })

  await t.test('a backtest must name its rules in one way, and rules that are there', async () => {
    const window = { from: '2000-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' }
    const none = await call('POST', '/detections/backtest', window)
    assert.equal(none.status, 400)
    assert.match(none.body.detail, /^rule_ids: /)
    const unknown = await call('POST', '/detections/backtest', { ...window, rule_ids: ['nobody'] })
    assert.equal(unknown.status, 404)
  })

  await t.test('a backtest counts what threshold and sequence rules would find', async () => {
    const kinds = [
      {
        kind: 'threshold',
        threshold: { count: 200, window_seconds: 3600 },
        query: 'process:cmd.exe',
      },
      {
        kind: 'sequence',
        query: 'EventID:1',
        sequence: {
          window_seconds: 3600,
          steps: [{ query: 'process:cmd.exe' }, { query: 'process:calc.exe' }],
        },
      },
    ]
    for (const kind of kinds) {
      await call('POST', '/detections/rules', {
        name: kind.kind,
        enabled: false,
        tags: ['several'],
        ...kind,
      })
    }
    const { body } = await call('POST', '/detections/backtest', {
      tag: 'several',
      from: '2000-01-01T00:00:00Z',
      to: '2100-01-01T00:00:00Z',
    })
    const counts = body.items.map((item: { match_count: number }) => item.match_count)
    assert.equal(counts[0], 1)
    assert.ok(counts[1] > 0)
  })

  await t.test('a backtest knows what came before its time', async () => {
    const begin = Date.parse('2020-05-01T00:00:00Z')
    const minute = (n: number) => new Date(begin + n * 60_000).toISOString()
    const events = Array.from({ length: 6 }, (_, n) => ({
      id: `knock-${n}`,
      timestamp: minute(n),
      word: 'knock',
    }))
    await call('POST', '/siem/logs', { events })
    await call('POST', '/detections/rules', {
      name: 'Three knocks',
      enabled: false,
      tags: ['knocks'],
      query: 'word:knock',
      kind: 'threshold',
      threshold: { count: 3, window_seconds: 600 },
    })
    const found = async (from: number, to: number) => {
      const body = { tag: 'knocks', from: minute(from), to: minute(to), include_ids: true }
      const answer = await call('POST', '/detections/backtest', body)
      return [answer.body.items[0].log_ids, answer.body.events_scanned]
    }
    assert.deepEqual(await found(0, 6), [['knock-2'], 6])
    assert.deepEqual(await found(2, 6), [['knock-2'], 4])
    assert.deepEqual(await found(3, 6), [[], 3])
  })

  await t.test('a trial calls what was away for longer than the look-back new again', async () => {
    const used = (id: string, hoursAgo: number) => ({
      id,
      timestamp: new Date(Date.now() - hoursAgo * 3_600_000).toISOString(),
      ...{ source: 'badge', message: 'door opened', badge: 'b-7' },
    })
    const events = [used('first', 90), used('soon-again', 80), used('long-after', 10)]
    await call('POST', '/siem/logs', { events })
    const draft = {
      ...{ query: 'source:badge', kind: 'new_terms' },
      new_terms: { fields: ['badge'], look_back_days: 1 },
    }
    const preview = await call('POST', '/detections/rules/preview', { ...draft, days: 7 })
    assert.equal(preview.body.total, 2)
    const rule = { ...draft, name: 'A badge that is new', enabled: false }
    const { id } = (await call('POST', '/detections/rules', rule)).body
    const { body } = await call('POST', '/detections/backtest', {
      ...{ rule_ids: [id], include_ids: true, to: new Date().toISOString() },
      from: new Date(Date.now() - 7 * 86_400_000).toISOString(),
    })
    assert.deepEqual(body.items[0].log_ids, ['first', 'long-after'])
  })

  await t.test('what came before takes half of the time at most, and is told', async (t) => {
    const database = await openDatabase({ connection: soc.connection, log: silentLog })
    t.after(() => database.close())
    let now = 0
    const [from, to] = [new Date(1_000_000), new Date(2_000_000)]
    const knock = (id: string, at: number): StoredLog => ({
      ...{ id, at, received_at: at, source: '', host: null, severity: 'info', message: '' },
      ...{ user: null, process: null, event_code: null, src_ip: null, dst_ip: null },
      ...{ fields: { word: 'knock' }, original: null },
    })
    const logs: BacktestDeps['logs'] = {
      async *scan({ time }) {
        if (time.to === to.getTime())
          return yield ['a', 'b', 'c'].map((id) => knock(id, from.getTime()))
        for (; ; now += 1_000) yield [knock(`old-${now}`, 0)]
      },
    }
    const { items, events_scanned, partial } = await runBacktest(
      { db: database.kysely, logs, startMatcher, now: () => now },
      { tag: 'knocks', from, to, include_ids: true, skip: 0, limit: 10 },
      { username: 'admin', role: 'admin', permissions: new Set(), kind: 'user' },
      { signal: AbortSignal.timeout(60_000), timeLimitMs: 10_000 },
    )
    assert.deepEqual([items[0]?.log_ids, events_scanned], [['c'], 3])
    assert.match(partial ?? '', /^what came before .* was read in part/)
  })

  await t.test(
    'POST /detections/rules/preview shows what a draft would find and stores nothing',
    async () => {
      const draft = {
        name: 'Draft',
        query: 'process:powershell.exe',
        alert_title_template: 'Shell on {host} {nowhere}',
        days: 2,
      }
      const { status, body } = await call('POST', '/detections/rules/preview', draft)
      assert.equal(status, 200, JSON.stringify(body))
      assert.equal(body.total, 200)
      assert.equal(body.matches_per_day.length, 3)
      const sum = body.matches_per_day.reduce(
        (total: number, day: { matches: number }) => total + day.matches,
        0,
      )
      assert.equal(sum, 200)
      assert.equal(body.sample_logs.length, 20)
      assert.equal(body.alert_count, 1)
      assert.deepEqual(body.existing_alerts, [])
      assert.equal(body.estimated_false_positives, null)
      assert.match(body.warnings.join(), /\{nowhere\}/)
      assert.equal(body.partial, null)
      assert.equal((await call('GET', '/detections/rules?q=Draft')).body.total, 0)
    },
  )

  await t.test('a preview knows alerts that are there, and what people said of them', async () => {
    const draft = { query: 'process:calc.exe', alert_title_template: 'Calc on {host}' }
    const { body: rule } = await call('POST', '/detections/rules', { name: 'Calc', ...draft })
    await call('POST', `/detections/rules/${rule.id}/run`)
    await until('an alert', async () => (await call('GET', '/alerts')).body.total > 0)
    const [alert] = (await call('GET', '/alerts')).body.items
    for (const verdict of ['false_positive', 'false_positive', 'true_positive', 'needs_tuning']) {
      await call('POST', `/detections/rules/${rule.id}/feedback`, { verdict, alert_id: alert.id })
    }
    const { body } = await call('POST', '/detections/rules/preview', { ...draft, days: 1 })
    assert.deepEqual(
      body.existing_alerts.map(({ id }: { id: string }) => id),
      [alert.id],
    )
    assert.equal(body.feedback_count, 3)
    assert.equal(body.estimated_false_positives, Math.round((200 * 2) / 3))
  })

  await t.test('a draft that cannot be read is 400 with the column', async () => {
    const { status, body } = await call('POST', '/detections/rules/preview', { query: 'a AND (' })
    assert.equal(status, 400)
    assert.match(body.detail, /^query: .* column/)
  })

  await t.test('GET /detections/coverage counts rules and alerts by technique', async () => {
    await call('POST', '/alerts', {
      title: 'By hand',
      source: 'test',
      severity: 'low',
      mitre_techniques: ['T1059.003'],
    })
    const { body } = await call('GET', '/detections/coverage')
    const technique = body.techniques.find(({ id }: { id: string }) => id === 'T1059.003')
    assert.equal(technique.name, 'Windows Command Shell')
    assert.equal(technique.rules, 5)
    assert.equal(technique.enabled_rules, 1)
    assert.equal(technique.alerts_30d, 1)
    const execution = body.tactics.find(({ id }: { id: string }) => id === 'execution')
    assert.equal(execution.covered_techniques, 1)
    assert.ok(execution.techniques > 10)
  })

  await t.test(
    'in dry_run an import is shown and nothing is stored; in dummy it is 409',
    async (t) => {
      const dry = await startTestSoc(t, { connection: soc.connection, mode: 'dry_run' })
      const shown = await dry.call('POST', '/detections/rules/import', {
        as: await dry.signIn(),
        body: sigma('dry', '\\dry.exe'),
        headers: { 'content-type': 'text/yaml' },
      })
      assert.equal(shown.body.preview, true)
      assert.equal(shown.body.imported, 1)
      assert.equal((await call('GET', '/detections/rules?sigma_id=dry')).body.total, 0)
      const dummy = await startTestSoc(t, { connection: soc.connection, mode: 'dummy' })
      const refused = await dummy.call('POST', '/detections/rules/import', {
        as: await dummy.signIn(),
        body: sigma('dry', '\\dry.exe'),
        headers: { 'content-type': 'text/yaml' },
      })
      assert.equal(refused.status, 409)
    },
  )
})
