import assert from 'node:assert/strict'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { freePort } from '@manara/kit/testing/free-port'
import { isRunning, mainOf, processFixture } from '@manara/kit/testing/service-process'

const MAIN = mainOf('soc')
const READY = /soc {7}(https?:\/\/\S+)/

const setup = (t: TestContext) =>
  processFixture(t, MAIN, (folder) => ({
    ...{ SOC_PORT: '0', SOC_DATA: path.join(folder, 'data') },
    SOC_WARM_UP: 'off',
  }))

const signIn = (address: string, password: string) =>
  fetch(`${address}/api/v1/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  })

test('the first start prints the admin password, which signs in; the second prints none', async (t) => {
  const { start } = setup(t)
  const first = start()
  const [, address] = await first.printed(READY)
  const [, password] = await first.printed(/^admin password: (\S+)$/m)
  assert.equal((await signIn(String(address), String(password))).status, 200)
  const children = first.children()
  assert.equal(children.length, 1, 'PostgreSQL is its child')
  assert.deepEqual(await first.end('SIGTERM'), { code: 0, signal: null })
  assert.deepEqual(children.filter(isRunning), [])
  const second = start()
  await second.printed(READY)
  assert.doesNotMatch(second.output(), /admin password/)
})

test('the admin signs in as soon as the port answers; after a kill -9 the next start is whole', async (t) => {
  const { start } = setup(t)
  const port = await freePort()
  const password = 'set before the first start'
  const killed = start({
    ...{ SOC_PORT: String(port), SOC_ADMIN_PASSWORD: password },
    SOC_STARTER_RULES: 'off',
  })
  assert.equal((await firstSignIn(`http://127.0.0.1:${port}`, password)).status, 200)
  await killed.printed(READY)
  await killed.end('SIGKILL')
  const next = start({ SOC_STARTER_RULES: 'off' })
  const [, address] = await next.printed(READY)
  const health = (await (await fetch(`${address}/health`)).json()) as { database: string }
  assert.equal(health.database, 'up')
})

async function firstSignIn(address: string, password: string): Promise<Response> {
  for (;;) {
    const reply = await signIn(address, password).catch(() => undefined)
    if (reply) return reply
    await setTimeout(10)
  }
}

test('a second start on the same data says that it is in use and exits non-zero', async (t) => {
  const { env, start } = setup(t)
  await start({ SOC_STARTER_RULES: 'off' }).printed(READY)
  const second = start()
  const { code } = await second.ended
  assert.notEqual(code, 0)
  assert.match(second.output(), new RegExp(`^soc: data directory ${env.SOC_DATA} is in use`))
})

for (const [setting, line] of [
  [{ SOC_PORT: 'abc' }, 'soc: SOC_PORT: must be a port, got "abc"\n'],
  [
    { SOC_DATA: '/proc/manara' },
    'soc: SOC_DATA: /proc/manara cannot be written: it cannot be made\n',
  ],
  [{ SOC_MODE: 'live' }, 'soc: SOC_MODE: must be real, dry_run or dummy, got "live"\n'],
  [{ SOC_TLS_CERT: '/x.pem' }, 'soc: SOC_TLS_KEY: must be set too: TLS needs both files\n'],
  [
    { DATABASE_URL: 'mysql://root:hunter22@db' },
    'soc: DATABASE_URL: must be postgresql://… or words such as host=/run/postgresql dbname=soc\n',
  ],
] as [Record<string, string>, string][]) {
  test(`a bad setting stops the start with one line: ${line.trim()}`, async (t) => {
    const { start } = setup(t)
    const service = start(setting)
    const { code } = await service.ended
    assert.notEqual(code, 0)
    assert.equal(service.output(), line)
  })
}

test('a database that is missing is told in one line, and devices wait for it', async (t) => {
  const { start } = setup(t)
  const service = start({
    DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/nowhere',
    SOC_MQTT_PORT: String(await freePort()),
  })
  const [, why] = await service.printed(/devices: not yet: (.*)/)
  assert.equal(why, 'the database cannot be used')
  const lines = service.output().split('\n')
  const [told = '', ...more] = lines.filter((line) => line.includes('devices cannot connect yet'))
  assert.match(told, /devices cannot connect yet: the database cannot be used"/)
  assert.doesNotMatch(told, /stack/)
  assert.deepEqual(more, [])
})
