import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { mainOf, startProcess } from '@manara/kit/testing/service-process'
import { endOnSignal } from './demo/end-on-signal.ts'
import { type Body, caller, seen, signIn } from './demo/soc-client.ts'
import { HOST, story } from './demo/story.ts'

/**
 * `npm run demo:incident [-- --stay]`: a ransomware incident from the first log to the report, on a
 * soc and a reference EDR of its own. With --stay both go on until Ctrl-C, to look around.
 */
const say = (line: string) => void process.stdout.write(`${line}\n`)
let chapter = 0
const tell = (line: string) => say(`${String(++chapter).padStart(2)}. ${line}`)
const show = (line: string) => say(`      ${line}`)

await using undo = new AsyncDisposableStack()
endOnSignal(undo)
const directory = mkdtempSync(path.join(tmpdir(), 'manara-incident-'))
undo.defer(() => rmSync(directory, { recursive: true, force: true }))
const password = randomBytes(9).toString('base64url')
const secret = randomBytes(24).toString('base64url')

const edr = startProcess(new URL('../apps/soc/src/reference-edr/main.ts', import.meta.url), {
  EDR_REFERENCE_PORT: '0',
  EDR_SECRET: secret,
})
undo.defer(async () => void (await edr.end('SIGTERM')))
const [, edrAddress = ''] = await edr.printed(/(http:\/\/\S+)/)

const soc = startProcess(mainOf('soc'), {
  SOC_PORT: '0',
  SOC_WARM_UP: 'off',
  SOC_DATA: path.join(directory, 'soc'),
  SOC_ADMIN_PASSWORD: password,
  SOC_RATE_GENERAL: '10000',
  EDR_URL: edrAddress,
  EDR_SECRET: secret,
  EDR_POLL_S: '1',
})
undo.defer(async () => void (await soc.end('SIGTERM')))
const [, address = ''] = await soc.printed(/soc +(http:\/\/\S+)/)
say(`A soc at ${address} and a reference EDR at ${edrAddress}\n`)

const admin = await signIn(address, 'admin', password)
const staff = { leila: 'responder', omar: 'manager', collector: 'service' }
for (const [username, role] of Object.entries(staff)) {
  await admin.call('POST', '/users', { username, role, password: `${password}-${username}` })
}
const leila = await signIn(address, 'leila', `${password}-leila`)
const omar = await signIn(address, 'omar', `${password}-omar`)
const { key } = await admin.call('POST', '/users/collector/api-keys', {
  name: 'demo',
  scopes: ['siem:ingest'],
})
const collector = caller(address, { 'x-api-key': key })

const endpoint = await seen('the endpoint in the inventory', async () => {
  const { items } = await leila.call('GET', '/edr/endpoints')
  return items.find(({ hostname, status }: Body) => hostname === HOST && status === 'online')
})
tell(`The EDR knows ${HOST}: ${endpoint.os.name} ${endpoint.os.version}, ${endpoint.status}`)

// They are about what comes after them, and a new soc installs them in the background.
await seen('the starter rules', async () => {
  const { total } = await leila.call('GET', '/detections/rules?tag=starter&limit=1')
  return total > 0 ? total : undefined
})
const events = story(Date.now())
const { accepted } = await collector.call('POST', '/siem/logs', { events })
tell(`${accepted} log events came in and are on disk`)

const alert = await seen('the alert about encrypted files', async () => {
  const { items } = await leila.call('GET', `/alerts?host=${HOST}&severity=critical`)
  const titles = items.map(({ title }: Body) => title)
  return titles.some((title: string) => /encrypted/.test(title))
    ? items.find(({ title }: Body) => /Recovery removed/.test(title))
    : undefined
})
tell('Rules fired while the events arrived')
const { items: alerts } = await leila.call('GET', `/alerts?host=${HOST}`)
for (const { severity, title, mitre_techniques } of alerts) {
  show(`${severity.padEnd(8)} ${title} (${mitre_techniques.join(', ')})`)
}

const opened = await leila.call('GET', `/cases/${alert.case_id}`)
tell(`A case opened by itself: ${opened.title} (${opened.severity})`)

const execute = (query = '') =>
  leila.call('POST', `/soar/playbooks/contain-ransomware/execute${query}`, { alert_id: alert.id })
const asked = await execute()
tell(`leila runs "${asked.playbook_name}": ${asked.status}, nothing was done yet`)

await omar.call('POST', `/approvals/${asked.approval_id}/decide`, {
  approved: true,
  reason: 'files are being encrypted',
})
tell('omar approves it, and leila repeats the call with the approval')

const { execution_id } = await execute(`?approval_id=${asked.approval_id}`)
const execution = await seen('the end of the playbook', async () => {
  const found = await leila.call('GET', `/soar/executions/${execution_id}`)
  return ['pending', 'running', 'pending_approval'].includes(found.status) ? undefined : found
})
tell(`The playbook ${execution.status}`)
for (const step of execution.steps) show(`${step.status.padEnd(9)} ${step.id}: ${step.action}`)

const isolated = await seen('the isolation', async () => {
  const found = await leila.call('GET', `/edr/endpoints/${endpoint.id}`)
  return found.isolation === 'isolated' ? found : undefined
})
tell(`${HOST} is ${isolated.isolation}, as the EDR itself reports`)

const written = await leila.call('POST', '/reports', {
  report_type: 'investigation',
  case_id: alert.case_id,
  format: 'html',
})
const file = path.resolve('data/incident-report.html')
mkdirSync(path.dirname(file), { recursive: true })
writeFileSync(file, await leila.text(`/reports/${written.id}/download`))
tell(`The report is in ${path.relative('.', file)} (SHA-256 ${written.sha256.slice(0, 16)}…)`)

const { valid } = await admin.call('GET', '/audit/verify')
tell(`The audit log of all this is ${valid ? 'whole' : 'BROKEN'}`)

if (process.argv.includes('--stay')) {
  say(`\nLook around at ${address} as admin, password ${password}. Ctrl-C ends it.`)
  await new Promise(() => {})
}
