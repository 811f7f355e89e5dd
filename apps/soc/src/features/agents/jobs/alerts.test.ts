import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentSoc } from '../../../testing/agent-soc.ts'

const BAD_IP = '203.0.113.7'

test('Triage ranks a new alert with reasons and citations; it never closes one', async (t) => {
  const soc = await agentSoc(t, 'Triage')
  const [log] = await soc.ingest({ host: 'web-1', message: 'odd', src_ip: BAD_IP })
  await soc.call('POST', '/iocs', { value: BAD_IP, score: 90 })
  const grave = await soc.raise({
    severity: 'critical',
    host: 'web-1',
    iocs: [BAD_IP],
    source_ref: log,
  })
  const quiet = await soc.raise({ severity: 'info', source_ref: 'not an event of ours' })
  const closed = await soc.raise({ status: 'closed' })
  await soc.worked('Triage')
  const found = new Map((await soc.findings('Triage')).map((one) => [one.alert_id, one]))
  const first = found.get(grave)
  assert.deepEqual(
    [first?.data.rank, first?.data.verdict, first?.cites.alert_ids, first?.cites.log_ids],
    ['urgent', 'suspicious', [grave], [log]],
  )
  assert.ok(first?.reasons.some((reason) => reason.includes(`${BAD_IP} is a known indicator`)))
  assert.equal(found.get(quiet)?.data.rank, 'low')
  assert.deepEqual(found.get(quiet)?.cites.log_ids, [], 'what is no event is not cited')
  const status = async (id: string) => (await soc.call('GET', `/alerts/${id}`)).body.status
  assert.deepEqual(
    [await status(grave), await status(quiet), await status(closed)],
    ['triaged', 'triaged', 'closed'],
  )
})

test('Triage looks into the events around an alert, and takes their verdict', async (t) => {
  const soc = await agentSoc(t, 'Triage')
  const [read, note] = await soc.ingest(
    {
      Hostname: 'ws-1',
      Channel: 'Microsoft-Windows-Sysmon/Operational',
      EventID: 10,
      message: 'Process accessed',
      SourceImage: 'C:\\Users\\lina\\Downloads\\dump.exe',
      SourceProcessId: '4242',
      SourceUser: 'CORP\\lina',
      TargetImage: 'C:\\Windows\\System32\\lsass.exe',
      TargetProcessId: '700',
      GrantedAccess: '0x1fffff',
    },
    { host: 'ws-9', message: 'the printer is out of paper' },
  )
  const attacked = await soc.raise({ severity: 'medium', host: 'ws-1', source_ref: read })
  const quiet = await soc.raise({ severity: 'medium', host: 'ws-9', source_ref: note })
  await soc.worked('Triage')
  const found = new Map((await soc.findings('Triage')).map((one) => [one.alert_id, one]))
  assert.deepEqual(
    [attacked, quiet].map((id) => [found.get(id)?.data.investigated, found.get(id)?.data.verdict]),
    [
      [true, 'attack'],
      [true, 'nothing_found'],
    ],
  )
  assert.ok(found.get(attacked)?.cites.log_ids.includes(read ?? ''))
})

test('Triage: what people said about a rule makes its alerts weigh less, and says so', async (t) => {
  const soc = await agentSoc(t, 'Triage')
  const rule = async (name: string) =>
    (await soc.call('POST', '/detections/rules', { name, query: `${name}:1` })).body.id as string
  const [noisy, fresh] = [await rule('noisy'), await rule('fresh')]
  for (let n = 0; n < 5; n += 1) {
    const body = { verdict: n === 0 ? 'true_positive' : 'false_positive' }
    await soc.call('POST', `/detections/rules/${noisy}/feedback`, body)
  }
  const ofNoisy = await soc.raise({ severity: 'medium', rule_id: noisy })
  const ofFresh = await soc.raise({ severity: 'medium', rule_id: fresh })
  await soc.worked('Triage')
  const found = new Map((await soc.findings('Triage')).map((one) => [one.alert_id, one]))
  const [first, second] = [found.get(ofNoisy), found.get(ofFresh)]
  assert.ok((first?.weight ?? 0) < (second?.weight ?? 0))
  assert.match(first?.reasons.join() ?? '', /4 of 5 such alerts were not confirmed/)
})

test('Enrichment says what is known about indicators and host, and nothing of what is not', async (t) => {
  const soc = await agentSoc(t, 'Enrichment')
  await soc.endpoint('web-1', { os_name: 'Debian', labels: ['internet-facing'] })
  const ids = await soc.ingest(
    { host: 'web-1', message: 'a', dst_ip: BAD_IP, ago: 30 },
    { host: 'web-2', message: 'b', dst_ip: BAD_IP, ago: 10 },
  )
  const alert = await soc.raise({ host: 'web-1', iocs: [BAD_IP] })
  await soc.raise({ host: 'nowhere', iocs: ['198.51.100.9'] })
  await soc.worked('Enrichment')
  const found = await soc.findings('Enrichment')
  assert.equal(found.length, 1)
  const [first] = found
  assert.equal(first?.alert_id, alert)
  assert.deepEqual(first?.cites.log_ids, [ids[0], ids[1]])
  assert.match(first?.reasons.join() ?? '', /web-1 runs Debian.*2 events in 7 days on 2 hosts/)
})

test('Enrichment looks at observables that are added to a case', async (t) => {
  const soc = await agentSoc(t, 'Enrichment')
  await soc.call('POST', '/iocs', { value: BAD_IP, score: 80 })
  const { id } = (await soc.call('POST', '/cases', { title: 'c' })).body
  const path = `/cases/${id}/observables`
  await soc.call('POST', path, { type: 'ip', value: BAD_IP })
  await soc.call('POST', path, { type: 'ip', value: '198.51.100.1' })
  await soc.worked('Enrichment')
  const found = await soc.findings('Enrichment')
  assert.deepEqual(
    found.map(({ case_id, claim }) => [case_id, claim]),
    [[id, `What is known about ${BAD_IP}`]],
  )
})

test('Correlation proposes a case for alerts of one person on one host, and none for strangers', async (t) => {
  const soc = await agentSoc(t, 'Triage', 'Correlation')
  const of = (user: string, host = 'web-1') => ({ host, raw: { user }, severity: 'medium' })
  const first = await soc.raise(of('lina'))
  await soc.raise(of('omar'))
  await soc.raise(of('lina', 'web-2'))
  await soc.worked('Triage')
  await soc.worked('Correlation')
  await soc.saysNothing('Correlation')

  const second = await soc.raise(of('lina'))
  await soc.worked('Triage')
  await soc.worked('Correlation')
  const [proposal] = await soc.proposals('Correlation')
  assert.equal(proposal?.kind, 'open_case')
  assert.deepEqual([...(proposal?.cites.alert_ids ?? [])].sort(), [first, second].sort())
  const done = await soc.accept(proposal?.id ?? '')
  assert.equal(done.status, 200, JSON.stringify(done.body))

  const third = await soc.raise(of('lina'))
  await soc.worked('Triage')
  await soc.worked('Correlation')
  const [link] = await soc.proposals('Correlation')
  assert.deepEqual(
    link?.action.kind === 'link_alerts' && [link.action.case_id, link.action.alert_ids],
    [done.body.result.case_id, [third]],
  )
})

test('NetworkAnalyst finds a beacon and a scan, and says nothing of ordinary traffic', async (t) => {
  const soc = await agentSoc(t, 'NetworkAnalyst')
  const beacon = Array.from({ length: 12 }, (_, n) => ({
    host: 'ws-1',
    message: 'connect',
    dst_ip: BAD_IP,
    ago: 60 - n * 5,
  }))
  const people = [57, 41, 40, 22, 9, 8, 7, 6, 1].map((ago) => ({
    host: 'ws-2',
    message: 'connect',
    dst_ip: '198.51.100.5',
    ago,
  }))
  const scan = Array.from({ length: 25 }, (_, n) => ({
    host: 'ws-3',
    message: 'connect',
    dst_ip: `10.0.0.${n}`,
    ago: 0.01 * (25 - n),
  }))
  await soc.ingest(...beacon, ...people, ...scan)
  await soc.raise({ host: 'ws-2', iocs: ['198.51.100.5'] })
  await soc.raise({ host: 'ws-2', title: 'no traffic at all' })
  await soc.worked('NetworkAnalyst')
  await soc.saysNothing('NetworkAnalyst')
  await soc.raise({ host: 'ws-1', iocs: [BAD_IP] })
  await soc.raise({ host: 'ws-3', mitre_techniques: ['T1046'] })
  await soc.worked('NetworkAnalyst')
  const claims = (await soc.findings('NetworkAnalyst')).map(({ claim }) => claim).sort()
  assert.deepEqual(claims, [
    `ws-1 calls ${BAD_IP} every 5 min, 12 times within two days`,
    claims[1],
  ])
  assert.match(claims[1] ?? '', /^ws-3 tried \d\d addresses within five minutes$/)
})

test('MalwareAnalyst follows a hash over hosts and proposes an indicator; a hash nobody saw is nothing', async (t) => {
  const soc = await agentSoc(t, 'MalwareAnalyst')
  const hash = 'a'.repeat(64)
  const event = { message: 'start', Hashes: `SHA256=${hash}`, Image: 'C:\\Temp\\x.exe' }
  await soc.ingest({ host: 'ws-1', ...event, ago: 5 }, { host: 'ws-2', ...event, ago: 3 })
  await soc.raise({ iocs: ['b'.repeat(64)] })
  await soc.worked('MalwareAnalyst')
  await soc.saysNothing('MalwareAnalyst')
  const alert = await soc.raise({ iocs: [hash] })
  await soc.worked('MalwareAnalyst')
  const [found] = await soc.findings('MalwareAnalyst')
  assert.match(found?.claim ?? '', /was seen on 2 hosts within a week, first on ws-1/)
  const [proposal] = await soc.proposals('MalwareAnalyst')
  assert.deepEqual([proposal?.kind, proposal?.cites.alert_ids], ['add_indicators', [alert]])
  assert.equal((await soc.accept(proposal?.id ?? '')).status, 200)
  assert.equal((await soc.call('GET', `/iocs?value=${hash}`)).body.total, 1)
})

test('CpsGuard joins a device with the IT of its site, and leaves a device alone', async (t) => {
  const soc = await agentSoc(t, 'CpsGuard')
  const site = (await soc.call('POST', '/sites', { name: 'Station' })).body.id
  await soc.endpoint('eng-1', { site_id: site })
  const device = { source: 'cps', site_id: site, mitre_techniques: ['T0857'] }
  await soc.raise({ ...device, site_id: 'elsewhere' })
  const alone = await soc.raise(device)
  await soc.worked('CpsGuard')
  await soc.saysNothing('CpsGuard')
  const office = await soc.raise({ host: 'eng-1' })
  const second = await soc.raise(device)
  await soc.worked('CpsGuard')
  const [found] = await soc.findings('CpsGuard')
  assert.deepEqual([found?.alert_id, found?.cites.alert_ids], [second, [second, office]])
  const [proposal] = await soc.proposals('CpsGuard')
  assert.equal(proposal?.kind, 'open_case')
  assert.ok(!proposal?.cites.alert_ids.includes(alone))
})
