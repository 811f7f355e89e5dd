import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { copyReadyCluster } from '@manara/kit/testing/ready-cluster'
import { mainOf } from '@manara/kit/testing/service-process'
import type { Alert } from '@manara/soc-contract/alerts'
import type { Case, CaseDetail } from '@manara/soc-contract/cases'
import { until } from '../../testing/until.ts'

const MAIN = fileURLToPath(mainOf('soc'))
const PASSWORD = 'correct horse battery'
const CALLERS = 8
// `SOAK_WRITES=10000 npm test alerts/kill` strikes amid ten thousand.
const ENOUGH = Number(process.env.SOAK_WRITES ?? 150)

type Running = { child: ChildProcess; call: Call }
type Call = (
  method: string,
  url: string,
  body?: unknown,
) => Promise<{ status: number; body: never }>

/** The real program on a port of its own, signed in to. */
async function start(dataDir: string): Promise<Running> {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      ...process.env,
      SOC_PORT: '0',
      SOC_WARM_UP: 'off',
      SOC_STARTER_RULES: 'off',
      // They write into the records that are counted here.
      SOC_AGENTS: 'off',
      SOC_DATA: dataDir,
      SOC_ADMIN_PASSWORD: PASSWORD,
      SOC_RATE_GENERAL: '1000000',
      SOC_LOG: 'silent',
      DATABASE_URL: '',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let banner = ''
  for await (const text of child.stdout.setEncoding('utf8')) {
    banner += text
    if (/^soc +http\S+\n/m.test(banner)) break
  }
  const [, address] = /^soc +(http\S+)/m.exec(banner) ?? []
  assert.ok(address, `the service did not start: ${banner}`)

  const call = async (method: string, url: string, body?: unknown, token?: string) => {
    const reply = await fetch(`${address}/api/v1${url}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: reply.status, body: (await reply.json()) as never }
  }
  const signedIn = await call('POST', '/auth/token', { username: 'admin', password: PASSWORD })
  const { access_token } = signedIn.body as { access_token: string }
  return { child, call: (method, url, body) => call(method, url, body, access_token) }
}

type Acknowledged = { alerts: Map<string, Alert>; cases: Map<string, CaseDetail> }

/** Posts alerts and promotes every second one, until `strike` has hit and the caller hears of it. */
async function writeUntilStruck({ call }: Running, strike: () => void): Promise<Acknowledged> {
  const known: Acknowledged = { alerts: new Map(), cases: new Map() }
  let struck = false
  const write = async (caller: number) => {
    for (let count = 0; ; count += 1) {
      const posted = await call('POST', '/alerts', {
        title: `Alert ${caller}-${count}`,
        source: 'kill test',
        iocs: [`10.0.${caller}.${count}`],
      })
      if (posted.status !== 201) return
      const alert: Alert = posted.body
      known.alerts.set(alert.id, alert)
      if (count % 2) {
        const promoted = await call('POST', `/alerts/${alert.id}/promote`, {})
        if (promoted.status !== 201) return
        known.cases.set((promoted.body as CaseDetail).id, promoted.body)
      }
      if (known.alerts.size >= ENOUGH && !struck) {
        struck = true
        strike()
      }
    }
  }
  // A call under way fails when the service goes: that one was not acknowledged.
  await Promise.all(Array.from({ length: CALLERS }, (_, caller) => write(caller).catch(() => {})))
  assert.ok(struck, 'the writers ended before the blow')
  return known
}

async function all<Item>(call: Call, url: string): Promise<Item[]> {
  const items: Item[] = []
  let cursor = ''
  for (;;) {
    const { body } = await call('GET', `${url}?limit=200${cursor}`)
    const page = body as { items: Item[]; next_cursor: string | null; total: number }
    items.push(...page.items)
    if (!page.next_cursor) {
      assert.equal(page.total, items.length)
      return items
    }
    cursor = `&cursor=${page.next_cursor}`
  }
}

/** Every acknowledged record is there as it was acknowledged; no record is there in part. */
async function checkRecords({ call }: Running, known: Acknowledged) {
  const alerts = new Map((await all<Alert>(call, '/alerts')).map((alert) => [alert.id, alert]))
  for (const { id, title, iocs, dedup_hash } of known.alerts.values()) {
    const stored = alerts.get(id)
    assert.deepEqual([stored?.title, stored?.iocs, stored?.dedup_hash], [title, iocs, dedup_hash])
  }
  const cases = new Map((await all<Case>(call, '/cases')).map((one) => [one.id, one]))
  for (const { id, alert_ids } of known.cases.values()) {
    assert.deepEqual(cases.get(id)?.alert_ids, alert_ids)
  }
  for (const { id, alert_ids } of cases.values()) {
    assert.equal(alert_ids.length, 1, `case ${id} without its alert`)
    assert.equal(alerts.get(alert_ids[0] ?? '')?.status, 'investigating')
    const { body } = await call('GET', `/cases/${id}`)
    // Opened, its alert linked, and the indicator of that taken along as an observable.
    assert.equal((body as CaseDetail).timeline.length, 3, `case ${id} without its story`)
    assert.equal((body as CaseDetail).observables.length, 1, `case ${id} without its observable`)
  }
}

function temporaryData(t: { after(work: () => void): void }): string {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'soc-kill-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 }))
  copyReadyCluster(dataDir)
  return dataDir
}

async function stop({ child }: Running) {
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}

test('kill -9 of the service amid writes loses nothing that was acknowledged', async (t) => {
  const dataDir = temporaryData(t)
  const first = await start(dataDir)
  const gone = once(first.child, 'exit')
  const known = await writeUntilStruck(first, () => first.child.kill('SIGKILL'))
  await gone
  const second = await start(dataDir)
  await checkRecords(second, known)
  await stop(second)
})

test('kill -9 of the database amid writes loses nothing that was acknowledged', async (t) => {
  const dataDir = temporaryData(t)
  const soc = await start(dataDir)
  const pid = Number(
    readFileSync(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0],
  )
  const known = await writeUntilStruck(soc, () => process.kill(pid, 'SIGKILL'))
  // The service starts it again by itself; until then it says 503.
  await until('the database is back', async () => {
    return (await soc.call('GET', '/alerts?limit=1')).status !== 503
  })
  await checkRecords(soc, known)
  await stop(soc)
})
