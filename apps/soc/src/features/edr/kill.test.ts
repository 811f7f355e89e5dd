import assert from 'node:assert/strict'
import { test } from 'node:test'
import { copyReadyCluster } from '@manara/kit/testing/ready-cluster'
import { mainOf, processFixture, type ServiceProcess } from '@manara/kit/testing/service-process'
import type { Endpoint, EndpointAction } from '@manara/soc-contract/edr'
import { EDR_SECRET, startReferenceEdr } from '../../testing/reference-edr.ts'
import { until } from '../../testing/until.ts'

const MAIN = mainOf('soc')
const PASSWORD = 'correct horse battery'

async function callerOf(service: ServiceProcess) {
  const [, address] = await service.printed(/^soc +(http\S+)/m)
  const call = async <T>(method: string, path: string, body?: object, token = ''): Promise<T> => {
    const reply = await fetch(`${address}/api/v1${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return (await reply.json()) as T
  }
  const { access_token } = await call<{ access_token: string }>('POST', '/auth/token', {
    username: 'admin',
    password: PASSWORD,
  })
  return <T>(method: string, path: string, body?: object) =>
    call<T>(method, path, body, access_token)
}

test('kill -9 between the order and its receipt: the endpoint is acted upon once', async (t) => {
  const edr = await startReferenceEdr(t)
  const { env, start } = processFixture(t, MAIN, (folder) => ({
    SOC_PORT: '0',
    SOC_WARM_UP: 'off',
    SOC_STARTER_RULES: 'off',
    // They write into the records that are counted here.
    SOC_AGENTS: 'off',
    SOC_DATA: folder,
    SOC_ADMIN_PASSWORD: PASSWORD,
    SOC_RATE_GENERAL: '1000000',
    SOC_LOG: 'silent',
    EDR_URL: edr.url,
    EDR_SECRET,
    EDR_POLL_S: '1',
  }))
  copyReadyCluster(env.SOC_DATA)
  const first = start()
  const call = await callerOf(first)
  let endpoint: Endpoint | undefined
  await until('the inventory', async () => {
    const { items } = await call<{ items: Endpoint[] }>('GET', '/edr/endpoints?hostname=fin-ws-07')
    endpoint = items[0]
    return endpoint !== undefined
  })
  await edr.stage({ lose_answers: true })
  const { action_id } = await call<EndpointAction>(
    'POST',
    `/edr/endpoints/${endpoint?.id}/isolate`,
    {},
  )
  await until('the EDR has acted', async () => (await edr.stage()).length > 0)
  const unanswered = await call<EndpointAction>('GET', `/edr/actions/${action_id}`)
  assert.equal(unanswered.completed_at, null)
  await first.end('SIGKILL')
  await edr.stage({ lose_answers: false })

  const callAgain = await callerOf(start())
  const read = () => callAgain<EndpointAction>('GET', `/edr/actions/${action_id}`)
  await until('the receipt', async () => (await read()).status === 'completed')
  assert.ok((await read()).attempts >= 2, 'it was sent again')
  assert.deepEqual(await edr.stage(), ['isolate fin-ws-07'])
})
