import type { TestContext } from 'node:test'
import { type SimulatedOptions, startDevice } from '../simulated-devices/device.ts'
import { type Identity, makeKey } from '../simulated-devices/identity.ts'
import { startTestSoc, type TestSoc } from './test-soc.ts'
import { until } from './until.ts'

type Options = Parameters<typeof startTestSoc>[1]

/** A service with its broker open, and devices that enrol at it and are ended with the test. */
export async function startDeviceSoc(t: TestContext, options: Options = {}) {
  const soc = await startTestSoc(t, options)
  const as = await soc.signIn()
  const where = await soc.listenDevices({ port: 0 })
  const port = Number(where.split(':').at(-1))
  return { ...deviceCalls(t, soc, as, { host: '127.0.0.1', port }), soc, as, port }
}

export function deviceCalls(
  t: TestContext,
  soc: TestSoc,
  as: string,
  address: SimulatedOptions['address'],
) {
  async function enrol(fields: object = {}): Promise<Identity> {
    const body = { name: 'pump 7', device_type: 'plc', attest_every_s: 0, ...fields }
    const device = (await soc.call('POST', '/cps/devices', { as, body })).body
    const { body: code } = await soc.call('POST', `/cps/devices/${device.id}/enrolment-code`, {
      as,
    })
    const made = await makeKey()
    const sent = { code: code.code, csr: made.csr }
    const { body: enrolled } = await soc.call('POST', '/cps/enrol', { body: sent })
    return { deviceId: device.id, key: made.key, keyPem: made.keyPem, enrolled }
  }

  /** Connected and subscribed. */
  async function device(identity: Identity, more: Partial<SimulatedOptions> = {}) {
    const started = startDevice({ identity, address, ...more })
    t.after(() => started.kill())
    await started.ready
    return started
  }

  const read = async (path: string) => (await soc.call('GET', path, { as })).body
  const ask = async (deviceId: string) =>
    (await soc.call('POST', `/cps/devices/${deviceId}/attest`, { as })).body

  /** The attestation once it is no longer open. */
  async function settled(id: string, deviceId: string) {
    const one = async () => {
      const { items } = await read(`/cps/attestations?device_id=${deviceId}`)
      return items.find((item: { id: string }) => item.id === id)
    }
    await until(
      'an end of the request',
      async () => !['requested', 'delivered'].includes((await one()).status),
    )
    return one()
  }

  const alertsOf = async (kind: string) =>
    (await read('/alerts')).items.filter(({ tags }: { tags: string[] }) =>
      tags.includes(`attestation:${kind}`),
    )

  return { enrol, device, read, ask, settled, alertsOf }
}
