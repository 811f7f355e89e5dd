import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CaseDetail } from '@manara/soc-contract/cases'
import { agentSoc } from '../../../testing/agent-soc.ts'

const BAD_IP = '203.0.113.7'

test('DetectionTuner proposes the smallest exception, replayed; a rule that people trust stays', async (t) => {
  const soc = await agentSoc(t, 'DetectionTuner')
  const rule = async (name: string) =>
    (await soc.call('POST', '/detections/rules', { name, query: `${name}:1` })).body.id as string
  const [noisy, good] = [await rule('noisy'), await rule('good')]
  const wrong = await soc.ingest(
    ...Array.from({ length: 20 }, (_, n) => ({
      host: `ws-${n}`,
      message: 'x',
      process: 'backup.exe',
      user: 'svc-backup',
    })),
  )
  const right = await soc.ingest({
    host: 'ws-1',
    message: 'x',
    process: 'evil.exe',
    user: 'svc-backup',
  })
  const claim = (ruleId: string, logIds: string[]) =>
    soc.query(
      `INSERT INTO detection_hits (rule_id, log_id, is_held, claimed_at)
       SELECT $1, id, false, now() FROM unnest($2::text[]) AS id`,
      [ruleId, logIds],
    )
  for (const id of [noisy, good]) await claim(id, [...wrong, ...right])
  const say = (ruleId: string, verdict: string, siem_log_id: string | undefined) =>
    soc.call('POST', `/detections/rules/${ruleId}/feedback`, { verdict, siem_log_id })
  for (const id of wrong.slice(0, 5)) {
    await say(noisy, 'false_positive', id)
    await say(good, 'true_positive', id)
  }
  await say(noisy, 'true_positive', right[0])
  await soc.worked('DetectionTuner')
  await soc.ring('DetectionTuner')
  const proposals = await soc.proposals('DetectionTuner')
  assert.equal(proposals.length, 1)
  const [proposal] = proposals
  assert.deepEqual(
    proposal?.action.kind === 'suppress' && [proposal.action.rule_id, proposal.action.criteria],
    [noisy, { process: 'backup.exe' }],
  )
  assert.deepEqual(
    [proposal?.evidence.replayed, proposal?.evidence.held, proposal?.evidence.verdicts],
    [21, 20, 6],
  )
})

test('CaseKeeper adds observables and tasks, proposes merges, and asks about forgotten cases', async (t) => {
  const soc = await agentSoc(t, 'CaseKeeper')
  const caseOf = async (severity: string, alert_ids: string[]): Promise<string> =>
    (await soc.call('POST', '/cases', { title: `A ${severity} case`, severity, alert_ids })).body.id
  const read = async (id: string): Promise<CaseDetail> =>
    (await soc.call('GET', `/cases/${id}`)).body
  const quiet = await caseOf('low', [])
  await soc.worked('CaseKeeper')
  assert.deepEqual([(await read(quiet)).observables, (await read(quiet)).tasks], [[], []])
  await soc.saysNothing('CaseKeeper')

  // What a case is opened with comes along by itself; what joins later is for the keeper.
  const grave = await caseOf('high', [await soc.raise({ iocs: [BAD_IP] })])
  const joined = await soc.raise({ iocs: ['10.0.0.1'] })
  await soc.call('POST', `/alerts/${joined}/case-link`, { case_id: grave })
  await soc.worked('CaseKeeper')
  const kept = await read(grave)
  assert.deepEqual(kept.observables.map(({ type, value }) => `${type} ${value}`).sort(), [
    'ip 10.0.0.1',
    `ip ${BAD_IP}`,
  ])
  assert.equal(kept.tasks.length, 4)
  assert.deepEqual(
    kept.comments.map(({ author }) => author),
    ['agent:CaseKeeper'],
  )

  const twin = await caseOf('medium', [await soc.raise({ iocs: [BAD_IP] })])
  await soc.worked('CaseKeeper')
  const [merge] = await soc.proposals('CaseKeeper')
  assert.deepEqual(
    merge?.action.kind === 'merge_cases' && [merge.action.case_id, merge.action.case_ids],
    [grave, [twin]],
  )
  assert.equal((await soc.accept(merge?.id ?? '')).status, 200)
  assert.equal((await read(twin)).merged_into, grave)

  await soc.query(`UPDATE cases SET updated_at = now() - interval '8 days' WHERE id = $1`, [quiet])
  await soc.ring('CaseKeeper')
  await soc.ring('CaseKeeper')
  const stale = await soc.findings('CaseKeeper')
  assert.deepEqual(
    stale.map(({ case_id }) => case_id),
    [quiet],
  )
  assert.equal((await read(quiet)).comments.length, 1)
})

test('CaseKeeper adds everything once, also when several of its runs are about one case', async (t) => {
  const soc = await agentSoc(t)
  const { id } = (await soc.call('POST', '/cases', { title: 'Grave', severity: 'high' })).body
  const alert = await soc.raise({ iocs: [BAD_IP] })
  await soc.query(`UPDATE alerts SET case_id = $1 WHERE id = $2`, [id, alert])
  await soc.query(
    `INSERT INTO agent_jobs (id, agent_id, key, input, priority)
     SELECT gen_random_uuid(), 'agent-006', 'case:' || n, jsonb_build_object('case_id', $1::text), 2
     FROM generate_series(1, 5) AS n`,
    [id],
  )
  await soc.query(`UPDATE agents SET enabled = true, instances = 5 WHERE id = 'agent-006'`)
  await soc.worked('CaseKeeper')
  const kept: CaseDetail = (await soc.call('GET', `/cases/${id}`)).body
  assert.deepEqual([kept.tasks.length, kept.observables.length, kept.comments.length], [4, 1, 1])
})

test('Reporter writes the report of a resolved case once, and one of a week with something in it', async (t) => {
  const soc = await agentSoc(t, 'Reporter')
  const reports = async () => (await soc.call('GET', '/reports')).body.items
  const { id } = (await soc.call('POST', '/cases', { title: 'Done', severity: 'low' })).body
  await soc.call('PATCH', `/cases/${id}`, { status: 'investigating' })
  await soc.worked('Reporter')
  await soc.ring('Reporter')
  assert.deepEqual(await reports(), [], 'nothing is over')
  await soc.call('PATCH', `/cases/${id}`, { status: 'resolved' })
  await soc.worked('Reporter')
  const [report] = await reports()
  assert.deepEqual(
    [report.report_type, report.case_id, report.created_by],
    ['investigation', id, 'agent:Reporter'],
  )
  await soc.query(
    `UPDATE agents SET looked_until = now() - interval '8 days' WHERE id = 'agent-014'`,
  )
  await soc.ring('Reporter')
  await soc.ring('Reporter')
  assert.deepEqual(
    (await reports()).map((one: { report_type: string }) => one.report_type),
    ['executive', 'investigation'],
  )
})

test('VulnerabilityAnalyst lists endpoints without updates, those with alerts first', async (t) => {
  const soc = await agentSoc(t, 'VulnerabilityAnalyst')
  const current = { os_name: 'Windows', os_version: '11 23H2', agent_version: '4.2.1' }
  await soc.endpoint('new-1', current)
  await soc.ring('VulnerabilityAnalyst')
  await soc.saysNothing('VulnerabilityAnalyst')
  await soc.endpoint('old-1', { ...current, os_version: '7' })
  const behind = await soc.endpoint('old-2', { ...current, agent_version: '4.1.9' })
  await soc.raise({ host: 'old-2' })
  await soc.ring('VulnerabilityAnalyst')
  const [proposal] = await soc.proposals('VulnerabilityAnalyst')
  assert.deepEqual(
    proposal?.action.kind === 'open_case' && proposal.action.tasks.map(({ title }) => title),
    [
      'Update old-2: its EDR agent 4.1.9 is behind 4.2.1',
      'Update old-1: Windows 7 gets no updates since 2020-01-14',
    ],
  )
  assert.equal(proposal?.cites.endpoint_ids[0], behind)
  const done = await soc.accept(proposal?.id ?? '')
  const opened = (await soc.call('GET', `/cases/${done.body.result.case_id}`)).body
  assert.equal(opened.tasks.length, 2)
})

test('ThreatHunter: saved hunts, first times, the past of new rules; nothing where nothing is new', async (t) => {
  const soc = await agentSoc(t, 'ThreatHunter')
  const start = (parent: string, child: string, ago: number) => ({
    event_code: '1',
    host: 'ws-1',
    message: 'start',
    Image: `C:\\Windows\\${child}`,
    ParentImage: `C:\\Windows\\${parent}`,
    ago,
  })
  await soc.ingest(start('explorer.exe', 'notepad.exe', 3 * 24 * 60))
  await soc.query(`UPDATE agents SET looked_until = now() WHERE id = 'agent-004'`)
  await soc.ingest(start('explorer.exe', 'notepad.exe', 1))
  const hunt = { title: 'Odd tools', query: 'process:oddtool.exe', sharing_mode: 'team' }
  assert.equal((await soc.call('POST', '/siem/hunts', hunt)).status, 201)
  await soc.ring('ThreatHunter')
  await soc.saysNothing('ThreatHunter')

  const [odd, word] = await soc.ingest(
    { host: 'ws-2', message: 'run', process: 'oddtool.exe' },
    start('winword.exe', 'cmd.exe', 0),
  )
  const rule = { name: 'Late rule', query: 'process:oddtool.exe', alert_severity: 'high' }
  assert.equal((await soc.call('POST', '/detections/rules', rule)).status, 201)
  await soc.ring('ThreatHunter')
  const claims = (await soc.findings('ThreatHunter')).map(({ claim, cites }) => [
    claim,
    cites.log_ids,
  ])
  assert.deepEqual(
    claims.sort(),
    [
      ['For the first time in a week, winword.exe started cmd.exe on ws-1', [word]],
      ['The hunt "Odd tools" found 1 events', [odd]],
      ['The new rule "Late rule" matches 1 events of the week before it came', [odd]],
    ].sort(),
  )
  const proposals = await soc.proposals('ThreatHunter')
  assert.deepEqual(
    proposals.map(({ kind }) => kind),
    ['raise_alert', 'raise_alert'],
  )
  const done = await soc.accept(proposals[0]?.id ?? '')
  const alert = (await soc.call('GET', `/alerts/${done.body.result.alert_id}`)).body
  assert.deepEqual([alert.source, alert.source_ref], ['hunt', odd])
})
