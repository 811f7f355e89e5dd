import assert from 'node:assert/strict'
import { test } from 'node:test'
import { copyReadyCluster } from '@manara/kit/testing/ready-cluster'
import { mainOf, processFixture, type ServiceProcess } from '@manara/kit/testing/service-process'

const MAIN = mainOf('soc')
const PASSWORD = 'correct horse battery'
const CALLERS = 8
// Few go to the store with others, many by themselves.
const BATCHES = [25, 100] as const
// `SOAK_EVENTS=200000 npm test ingest/kill` strikes amid two hundred thousand.
const ENOUGH = Number(process.env.SOAK_EVENTS ?? 4_000)

async function signIn(service: ServiceProcess) {
  const [, address] = await service.printed(/^soc +(http\S+)$/m)
  const reply = await fetch(`${address}/api/v1/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: PASSWORD }),
  })
  const { access_token } = (await reply.json()) as { access_token: string }
  return (path: string, body?: string) =>
    fetch(`${address}${path}`, {
      headers: { authorization: `Bearer ${access_token}` },
      ...(body === undefined ? {} : { method: 'POST', body }),
    })
}

/** Sends until the service is gone; answers what it acknowledged before. */
async function sendUntilStruck(call: Awaited<ReturnType<typeof signIn>>, strike: () => void) {
  const acknowledged = new Set<string>()
  let isStruck = false
  const send = async (caller: number) => {
    const length = BATCHES[caller % 2] ?? 0
    for (let round = 0; ; round += 1) {
      const ids = Array.from({ length }, (_, n) => `${caller}-${round}-${n}`)
      const events = ids.map((id) => ({ id, message: `event ${id}`, caller }))
      const reply = await call('/api/v1/siem/logs', JSON.stringify(events))
      const { accepted } = (await reply.json()) as { accepted: number }
      assert.equal(accepted, length)
      for (const id of ids) acknowledged.add(id)
      if (acknowledged.size >= ENOUGH && !isStruck) {
        isStruck = true
        strike()
      }
    }
  }
  // A call under way fails when the service goes: that one was not acknowledged.
  await Promise.allSettled(Array.from({ length: CALLERS }, (_, caller) => send(caller)))
  assert.ok(isStruck, 'the senders ended before the blow')
  return acknowledged
}

test('kill -9 amid ingest loses no event that was acknowledged, and stores none twice', async (t) => {
  const { env, start } = processFixture(t, MAIN, (folder) => ({
    SOC_PORT: '0',
    SOC_WARM_UP: 'off',
    SOC_STARTER_RULES: 'off',
    // They write into the records that are counted here.
    SOC_AGENTS: 'off',
    SOC_DATA: folder,
    SOC_ADMIN_PASSWORD: PASSWORD,
    SOC_LOG: 'silent',
  }))
  copyReadyCluster(env.SOC_DATA)
  const first = start()
  const gone = first.ended
  const acknowledged = await sendUntilStruck(await signIn(first), () => first.child.kill('SIGKILL'))
  await gone

  const call = await signIn(start())
  const exported = await (await call('/api/v1/siem/export')).text()
  const stored = exported
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { id: string }).id)
  const found = new Set(stored)
  assert.equal(found.size, stored.length)
  assert.deepEqual(
    [...acknowledged].filter((id) => !found.has(id)),
    [],
  )
})
