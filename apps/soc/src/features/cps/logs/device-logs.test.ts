import assert from 'node:assert/strict'
import type { KeyObject } from 'node:crypto'
import { test } from 'node:test'
import { signMessage } from '@manara/attestation/message-signature'
import { makeKey } from '../../../simulated-devices/identity.ts'
import { startTestSoc } from '../../../testing/test-soc.ts'

const EVENT = { id: 'e1', event: 'token_failure', severity: 'medium', message: 'a wrong token' }

test('logs of devices', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()

  async function enrolled(...names: string[]) {
    const devices = []
    for (const name of names) {
      const body = { name, device_type: 'player' }
      const { id } = (await soc.call('POST', '/cps/devices', { as, body })).body
      const { code } = (await soc.call('POST', `/cps/devices/${id}/enrolment-code`, { as })).body
      const { csr, key } = await makeKey()
      const { fingerprint } = (await soc.call('POST', '/cps/enrol', { body: { code, csr } })).body
      devices.push({ id: id as string, key, fingerprint: fingerprint as string })
    }

    /** As device `to`, signed by `signer`. */
    async function send(
      to: string,
      signer: { key: KeyObject; fingerprint: string },
      json: unknown,
      { created = Math.floor(Date.now() / 1000), headers = {} as Record<string, string> } = {},
    ) {
      const body = Buffer.from(JSON.stringify(json))
      const path = `/api/v1/cps/devices/${to}/logs`
      const signed = signMessage({ method: 'POST', path, body }, { ...signer, created })
      return soc.call('POST', `/cps/devices/${to}/logs`, {
        headers: { 'content-type': 'application/json', ...signed, ...headers },
        body,
      })
    }
    const logs = async (q: string) =>
      (await soc.call('GET', `/siem/logs?q=${encodeURIComponent(q)}`, { as })).body.items
    return { devices, send, logs }
  }

  await t.test(
    'what a device signs is a log event of that device, whatever it calls itself',
    async () => {
      const { devices, send, logs } = await enrolled('player-7')
      const [box] = devices
      assert.ok(box)
      const details = { host: 'dc-01', source: 'windows', src_ip: '192.0.2.7', count: 3 }
      const events = [{ ...EVENT, details, timestamp: '2026-03-02T12:00:00Z' }]
      const reply = await send(box.id, box, { events })
      assert.deepEqual([reply.status, reply.body.accepted], [200, 1])
      const [log] = await logs('event:token_failure')
      assert.partialDeepStrictEqual(log, {
        ...{ source: 'device', host: 'player-7', severity: 'medium', src_ip: '192.0.2.7' },
        ...{ timestamp: '2026-03-02T12:00:00.000Z', message: 'a wrong token' },
      })
      assert.equal(log.fields.device_id, box.id)
      await send(box.id, box, { events })
      assert.equal((await logs('event:token_failure')).length, 1)
    },
  )

  await t.test('what a device writes is never an event of another machine', async () => {
    const { devices, send, logs } = await enrolled('plc-1', 'plc-2')
    const [box, other] = devices
    assert.ok(box && other)
    const forged = { host: 'plc-2', source: 'windows', device_id: other.id }
    const inside = JSON.stringify({ ...forged, message: 'inside' })
    const windows = { Computer: 'DC01', Channel: 'Security', EventID: 1102 }
    const events = [
      { ...EVENT, id: 'f1', event: 'forged', message: inside },
      { ...EVENT, id: 'f2', event: 'forged', details: { log: inside } },
      { ...EVENT, id: 'f3', event: 'forged', details: windows },
      { ...EVENT, id: 'f4', event: 'forged', message: JSON.stringify(windows) },
      { ...EVENT, id: 'f5', event: 'forged', details: forged },
      {
        ...{ ...EVENT, id: 'f6', event: 'forged' },
        message:
          'Nov 19 10:00:00 web-1 sshd[12]: Failed password for root from 203.0.113.9 port 22',
      },
    ]
    assert.equal((await send(box.id, box, { events })).body.accepted, events.length)
    const stored = await logs('event:forged')
    assert.equal(stored.length, events.length)
    for (const { id, host, source, collector, fields } of stored) {
      const who = [host, source, collector, fields.device_id]
      assert.deepEqual(who, ['plc-1', 'device', null, box.id], id)
    }
    const found = async (q: string) =>
      (await logs(q)).map(({ id }: { id: string }) => id.replace(/.*:/, '')).toSorted()
    assert.deepEqual(await found('host:plc-2 OR host:DC01 OR host:web-1 OR source:windows'), [])
    assert.deepEqual(await found('fields.host:plc-2'), ['f1', 'f2', 'f5'])
    assert.deepEqual(await found(`fields.event.device_id:${other.id}`), ['f1', 'f2', 'f5'])
    assert.deepEqual(await found('Computer:DC01 EventID:1102'), ['f3', 'f4'])
  })

  await t.test(
    'another device, a changed body, an old or no signature, and a revoked one are 401',
    async () => {
      const { devices, send, logs } = await enrolled('player-8', 'player-9')
      const [box, other] = devices
      assert.ok(box && other)
      const events = [EVENT]
      const old = Math.floor(Date.now() / 1000) - 3_600
      const { key } = await makeKey()
      for (const [what, reply] of [
        ['another device', await send(box.id, other, { events })],
        ['another key', await send(box.id, { ...box, key }, { events })],
        ['an old signature', await send(box.id, box, { events }, { created: old })],
        ['no signature', await send(box.id, box, { events }, { headers: { signature: '' } })],
      ] as const) {
        assert.equal(reply.status, 401, what)
        assert.match(reply.body.detail, /^signature: /, what)
      }
      await soc.call('POST', `/cps/devices/${box.id}/revoke`, { as, body: {} })
      assert.equal((await send(box.id, box, { events })).status, 401)
      assert.deepEqual(await logs('host:player-8 OR host:player-9'), [])
    },
  )

  const REFUSED: [unknown, RegExp][] = [
    [{}, /^events: /],
    [{ events: [] }, /^events: /],
    [{ events: [{ ...EVENT, id: 'a b' }] }, /^events\.0\.id: /],
    [{ events: [{ ...EVENT, severity: 'bad' }] }, /^events\.0\.severity: /],
    [{ events: [{ ...EVENT, host: 'x' }] }, /^events\.0: /],
    [{ events: Array(501).fill(EVENT) }, /^events: /],
  ]
  await t.test('what is no list of events is 400 that names the field', async () => {
    const { devices, send } = await enrolled('player-7')
    const [box] = devices
    assert.ok(box)
    for (const [json, expected] of REFUSED) {
      const reply = await send(box.id, box, json)
      assert.equal(reply.status, 400)
      assert.match(reply.body.detail, expected)
    }
  })
})
