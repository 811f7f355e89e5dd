import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createLogger } from '@manara/kit/logging'
import { startProcess } from '@manara/kit/testing/service-process'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../apps/soc/src/adapters/embedded-postgres.ts'
import { type Body, type Caller, signIn } from '../demo/soc-client.ts'
import type { Recording } from './recordings.ts'

const PASSWORD = 'evaluation only'
const WITH_RULES = 'with_rules'
const SENTINEL = 'evaluation sentinel'
const LINES_AT_ONCE = 2_000
const NDJSON = 'application/x-ndjson'
// Thousands of rules have to be compiled first, on a machine that may be busy.
const PATIENCE_MS = 10 * 60_000

export type FreshSoc = { admin: Caller; load(recording: Recording): Promise<void> }
export type Socs = Awaited<ReturnType<typeof prepareSocs>>

/**
 * Services with the rules and without a single event, as many as are asked for: the rules are
 * imported once, and each service gets a copy of that database and a log store of its own.
 */
export async function prepareSocs(directory: string) {
  const home = mkdtempSync(path.join(tmpdir(), 'manara-eval-'))
  const log = createLogger({ service: 'eval', level: 'silent', pretty: false })
  const postgres = await startEmbeddedPostgres(home, log)
  let made = 0

  async function asOwner(statement: string) {
    const client = new pg.Client(postgres.owner)
    await client.connect()
    try {
      await client.query(statement)
    } finally {
      await client.end()
    }
  }

  async function onDatabase<T>(database: string, work: (soc: FreshSoc) => Promise<T>): Promise<T> {
    const data = mkdtempSync(path.join(home, 'soc-'))
    const { host, user } = postgres.connection
    const urlAs = (role: string) =>
      `postgres://${role}@localhost/${database}?host=${encodeURIComponent(host)}`
    const soc = startProcess(new URL('../../apps/soc/src/main.ts', import.meta.url), {
      SOC_PORT: '0',
      SOC_DATA: data,
      SOC_KEY_FILE: path.join(home, 'service.key'),
      SOC_ADMIN_PASSWORD: PASSWORD,
      SOC_RATE_GENERAL: '1000000',
      SOC_RATE_INVESTIGATE: '1000000',
      SOC_RATE_INGEST: '100000000',
      SOC_STARTER_RULES: 'off',
      DATABASE_URL: urlAs(user),
      DATABASE_OWNER_URL: urlAs(postgres.owner.user),
    })
    try {
      const [, address = ''] = await soc.printed(/soc +(http:\/\/\S+)/)
      const admin = await signIn(address, 'admin', PASSWORD)
      const collector = await collectorOf(admin, address)
      return await work({ admin, load: (recording) => load(admin, collector, recording) })
    } finally {
      await soc.end('SIGTERM')
      rmSync(data, { recursive: true, force: true })
    }
  }

  await asOwner(`CREATE DATABASE ${WITH_RULES}`)
  const rules = await onDatabase(WITH_RULES, ({ admin }) => importRules(admin, directory))

  return {
    rules,
    /** A service of its own for one piece of work. */
    async use<T>(work: (soc: FreshSoc) => Promise<T>): Promise<T> {
      made += 1
      const database = `eval_${made}`
      await asOwner(`CREATE DATABASE ${database} TEMPLATE ${WITH_RULES}`)
      try {
        return await onDatabase(database, work)
      } finally {
        await asOwner(`DROP DATABASE ${database} WITH (FORCE)`)
      }
    },
    async stop() {
      await postgres.stop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

async function collectorOf(admin: Caller, address: string): Promise<Sender> {
  const known = await admin.call('GET', '/users')
  const isThere = known.items.some(({ username }: Body) => username === 'collector')
  if (!isThere) {
    await admin.call('POST', '/users', {
      username: 'collector',
      role: 'service',
      password: PASSWORD,
    })
  }
  const { key } = await admin.call('POST', '/users/collector/api-keys', {
    name: `eval ${Date.now()}`,
    scopes: ['siem:ingest'],
  })
  return { address, key }
}

type Sender = { address: string; key: string }

async function send({ address, key }: Sender, lines: string[], type: string) {
  const reply = await fetch(`${address}/api/v1/siem/logs`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': type },
    body: lines.join('\n'),
  })
  const { accepted, detail } = (await reply.json()) as Body
  if (accepted !== lines.length) throw new Error(`${accepted} of ${lines.length} taken: ${detail}`)
}

/** All of it, and resolves when every rule has seen every event: the last one raises an alert. */
async function load(admin: Caller, collector: Sender, { lines, isText }: Recording) {
  const type = isText ? 'text/plain' : NDJSON
  for (let at = 0; at < lines.length; at += LINES_AT_ONCE) {
    await send(collector, lines.slice(at, at + LINES_AT_ONCE), type)
  }
  await send(collector, [JSON.stringify({ message: SENTINEL, source: 'eval' })], NDJSON)
  const patience = Date.now() + PATIENCE_MS
  const sentinel = `/alerts?q=${encodeURIComponent(SENTINEL)}&limit=1`
  while ((await admin.call('GET', sentinel)).items.length === 0) {
    if (Date.now() > patience) throw new Error('the rules have not seen everything: see its log')
    await pause(300)
  }
}

/** The worst, newest alert; without one, a stored event to begin with. */
export async function strongestLead(admin: Caller): Promise<string> {
  const { items } = await admin.call('GET', '/alerts?sort=severity&order=desc&limit=200')
  const alert = items.find(({ title }: Body) => !title.includes(SENTINEL))
  if (alert) return `alert ${alert.id}: ${alert.title}`
  const logs = await admin.call(
    'GET',
    `/siem/logs?q=${encodeURIComponent('NOT source:eval')}&limit=1`,
  )
  return `log_id=${logs.items[0]?.id}`
}

async function importRules(admin: Caller, directory: string): Promise<number> {
  const folder = path.join(directory, 'rules')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.ya?ml$/.test(name))
    .map((name) => ({ name, content: readFileSync(path.join(folder, name), 'utf8') }))
  let imported = 0
  for (let at = 0; at < files.length; at += 500) {
    const answer = await admin.call('POST', '/detections/rules/import?enable=true', {
      files: files.slice(at, at + 500),
    })
    imported += answer.imported
  }
  await admin.call('POST', '/detections/rules', {
    name: SENTINEL,
    query: `message:"${SENTINEL}"`,
    alert_severity: 'info',
    alert_title_template: SENTINEL,
  })
  return imported
}
