import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { callerOf, killSoc, type SocService, startSoc, stopSoc } from './soc-service.ts'

export const name = 'soc agents'

const ALERTS = 1_000
const MINUTE_MS = 60_000
const KILLS = 3
const SETTINGS = { SOC_STARTER_RULES: 'off' }

/**
 * A thousand alerts within a minute, and three kill -9 while they are worked on. Every alert that
 * was acknowledged must be triaged, each once; the limit is a minute after the last one came.
 */
export async function run(print: (line: string) => void): Promise<boolean> {
  const directory = mkdtempSync(path.join(tmpdir(), 'soc-bench-'))
  await using undo = new AsyncDisposableStack()
  undo.defer(() => rmSync(directory, { recursive: true, force: true, maxRetries: 20 }))
  let service = await startSoc(directory, SETTINGS)
  undo.defer(() => stopSoc(service))

  const began = Date.now()
  const acknowledged = new Set<string>()
  for (let n = 0; n < ALERTS; n += 1) {
    const dueIn = began + (n * MINUTE_MS) / ALERTS - Date.now()
    if (dueIn > 0) await pause(dueIn)
    if (n > 0 && n % Math.floor(ALERTS / (KILLS + 1)) === 0 && n < ALERTS - 1) {
      await killSoc(service)
      service = await startSoc(directory, SETTINGS)
    }
    const body = {
      title: `Alert ${n}`,
      source: 'bench',
      severity: 'medium',
      host: `host-${n % 50}`,
    }
    const reply = await fetch(`${service.address}/alerts`, {
      method: 'POST',
      headers: { ...service.headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { id } = (await reply.json()) as { id: string }
    if (reply.status === 201) acknowledged.add(id)
  }
  const sent = (Date.now() - began) / 1_000
  const ranked = await rankedWithin(service, acknowledged)
  const behind = (Date.now() - began) / 1_000 - sent
  print(`${acknowledged.size} alerts within ${sent.toFixed(0)} s, ${KILLS} kill -9 meanwhile`)
  print(
    `triaged: ${ranked.count}, the last ${behind.toFixed(1)} s after the last alert (limit 60 s)`,
  )
  print(`findings of one alert twice: ${ranked.twice}; jobs failed: ${ranked.failed}`)
  return ranked.count === acknowledged.size && ranked.twice === 0 && ranked.failed === 0
}

/** Of those that were acknowledged; the Supervisor raises alerts of its own, which are triaged too. */
async function rankedWithin(service: SocService, acknowledged: Set<string>) {
  const admin = callerOf(service)
  const patience = Date.now() + MINUTE_MS
  while (true) {
    const { total } = await admin.call('GET', '/agents/findings?kind=triage&limit=1')
    const { jobs_waiting, jobs_running } = await admin.call('GET', '/agents/Triage')
    const isDone = total >= acknowledged.size && jobs_waiting + jobs_running === 0
    if (isDone || Date.now() > patience) break
    await pause(200)
  }
  const seen: string[] = []
  let cursor = ''
  do {
    const page = await admin.call('GET', `/agents/findings?kind=triage&limit=200${cursor}`)
    for (const { alert_id } of page.items) seen.push(alert_id)
    cursor = page.next_cursor ? `&cursor=${page.next_cursor}` : ''
  } while (cursor)
  const { jobs_failed } = await admin.call('GET', '/agents/Triage')
  const ranked = new Set(seen)
  return {
    count: [...acknowledged].filter((id) => ranked.has(id)).length,
    twice: seen.length - ranked.size,
    failed: jobs_failed,
  }
}
