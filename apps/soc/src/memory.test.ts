import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { mainOf, startProcess } from '@manara/kit/testing/service-process'
import { testDatabase } from './testing/test-postgres.ts'
import { ADMIN_PASSWORD } from './testing/test-soc.ts'

const MAIN = mainOf('soc')
const MB = 2 ** 20
/** What is held, when asked: without what only waits to be collected. */
const TELLS = `
  let asked = 0
  process.on('SIGUSR2', async () => {
    // Buffers are given back in the background of the collection before.
    for (let turn = 0; turn < 3; turn += 1) {
      gc()
      await new Promise((resolve) => setImmediate(resolve))
    }
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    console.log('holds ' + ++asked + ': ' + (heapUsed + arrayBuffers))
  })`

test('what a burst of requests took is given back', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'soc-memory-'))
  const { host, user, database } = await testDatabase()
  const tells = `data:text/javascript,${encodeURIComponent(TELLS)}`
  const service = startProcess(
    MAIN,
    {
      ...{ SOC_PORT: '0', SOC_DATA: folder, SOC_ADMIN_PASSWORD: ADMIN_PASSWORD },
      ...{ SOC_AGENTS: 'off', SOC_WARM_UP: 'off', SOC_STARTER_RULES: 'off' },
      ...{ SOC_RATE_GENERAL: '1000000', SOC_RATE_INGEST: '100000000' },
      DATABASE_URL: `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(String(host))}`,
    },
    ['--expose-gc', '--import', tells],
  )
  t.after(async () => {
    await service.end('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  })
  const [, address] = await service.printed(/^soc +(http\S+)/m)
  const signIn = await fetch(`${address}/api/v1/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD }),
  })
  const { access_token } = (await signIn.json()) as { access_token: string }
  const post = async (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) => {
    const reply = await fetch(`${address}/api/v1/siem/logs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${access_token}`, ...headers },
      body,
    })
    await reply.arrayBuffer()
    return reply.status
  }

  const events = JSON.stringify(
    Array.from({ length: 2_000 }, (_, n) => ({ message: `event ${n} ${'x'.repeat(500)}` })),
  )
  const bomb = gzipSync('{}\n'.repeat(5_000_000))
  const packed = { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' }
  async function burst() {
    for (let round = 0; round < 5; round += 1) {
      const json = { 'content-type': 'application/json' }
      const taken = await Promise.all([1, 2, 3, 4].map(() => post(events, json)))
      assert.deepEqual(new Set(taken), new Set([200]))
      assert.ok((await post(bomb, packed)) >= 400)
    }
  }
  let asked = 0
  async function held(): Promise<number> {
    asked += 1
    service.child.kill('SIGUSR2')
    const [, bytes] = await service.printed(new RegExp(`^holds ${asked}: (\\d+)$`, 'm'))
    return Number(bytes)
  }

  // The first fills caches and lets code be compiled: only what each one leaves would grow.
  await burst()
  const first = await held()
  await burst()
  await burst()
  const last = await held()
  const grown = `${Math.round(first / MB)} MB after one burst, ${Math.round(last / MB)} MB after three`
  assert.ok(last - first < 20 * MB, grown)
})
