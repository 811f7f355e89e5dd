import assert from 'node:assert/strict'
import { type AddressInfo, connect as connectSocket, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { deviceCalls, startDeviceSoc } from '../../../testing/devices.ts'
import { startTestSoc } from '../../../testing/test-soc.ts'
import { until } from '../../../testing/until.ts'

/** A line to the broker that can be cut, and stopped from carrying what the broker says. */
async function cuttableLine(t: TestContext, target: () => number) {
  const sockets = new Set<Socket>()
  let isDeaf = false
  const server = createServer((near) => {
    const far = connectSocket(target(), '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far)
    far.on('data', (chunk) => isDeaf || near.write(chunk))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const cut = () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  t.after(() => {
    server.close()
    cut()
  })
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    deafen: (is: boolean) => {
      isDeaf = is
    },
  }
}

test('delivery to devices', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const port = Number((await soc.listenDevices({ port: 0 })).split(':').at(-1))
  const devicesOf = (t: TestContext) => deviceCalls(t, soc, as, { host: '127.0.0.1', port })

  await t.test(
    'a request that was asked while the device was away reaches it once, when it comes',
    async (t) => {
      const { enrol, device, ask, settled } = devicesOf(t)
      const identity = await enrol()
      const asked = [await ask(identity.deviceId), await ask(identity.deviceId)]
      const heard: string[] = []
      await device(identity, { onRequest: ({ id }) => heard.push(id) })
      for (const { id } of asked) await settled(id, identity.deviceId)
      assert.deepEqual(heard.sort(), asked.map(({ id }) => id).sort())
    },
  )

  await t.test('finished requests do not come again when the device reconnects', async (t) => {
    const { enrol, device, ask, settled } = devicesOf(t)
    const identity = await enrol()
    const heard: string[] = []
    const first = await device(identity, { onRequest: ({ id }) => heard.push(id) })
    const asked = await ask(identity.deviceId)
    await settled(asked.id, identity.deviceId)
    await first.kill()
    const memory = first.memory
    await device(identity, { memory, onRequest: ({ id }) => heard.push(id) })
    const next = await ask(identity.deviceId)
    await settled(next.id, identity.deviceId)
    assert.deepEqual(heard, [asked.id, next.id])
    assert.deepEqual(await soc.query('SELECT * FROM cps_outbox'), [])
  })

  await t.test(
    'a network that breaks at every step carries each request to the device once',
    async (t) => {
      const { enrol, settled } = devicesOf(t)
      const line = await cuttableLine(t, () => port)
      const through = deviceCalls(t, soc, as, { host: '127.0.0.1', port: line.port })
      const identity = await enrol()
      const heard: string[] = []
      const pump = await through.device(identity, { onRequest: ({ id }) => heard.push(id) })
      const asked: string[] = []
      for (const step of ['publish', 'pubrec', 'pubrel', 'pubcomp']) {
        // The packet goes out or comes in, and the line is cut before the next one.
        const isOut = step === 'pubrec' || step === 'pubcomp'
        const gone = new Promise<void>((resolve) => {
          const look = ({ cmd }: { cmd: string }) => {
            if (cmd !== step) return
            pump.client.off(isOut ? 'packetsend' : 'packetreceive', look)
            line.cut()
            resolve()
          }
          pump.client.on(isOut ? 'packetsend' : 'packetreceive', look)
        })
        const { id } = await through.ask(identity.deviceId)
        asked.push(id)
        await gone
        assert.equal((await settled(id, identity.deviceId)).status, 'answered', step)
      }
      assert.deepEqual(heard, asked)
    },
  )

  await t.test(
    'a service that is ended with requests under way goes on with them when it is back',
    async (t) => {
      const first = await startDeviceSoc(t)
      const { enrol, soc, connection, as } = { ...first, connection: first.soc.connection }
      const identity = await enrol()
      let port = first.port
      const line = await cuttableLine(t, () => port)
      const heard: string[] = []
      const through = deviceCalls(t, soc, as, { host: '127.0.0.1', port: line.port })
      await through.device(identity, { onRequest: ({ id }) => heard.push(id) })
      // The request leaves the service and never arrives: its packet is under way.
      line.deafen(true)
      const { id } = await through.ask(identity.deviceId)
      await until('the packet', async () => {
        const rows = await soc.query(`SELECT FROM cps_outbox WHERE phase = 'published'`)
        return rows.length === 1
      })
      await soc.stop()
      line.cut()
      line.deafen(false)
      const second = await startTestSoc(t, { connection })
      port = Number((await second.listenDevices({ port: 0 })).split(':').at(-1))
      const calls = deviceCalls(t, second, await second.signIn(), { host: '127.0.0.1', port })
      assert.equal((await calls.settled(id, identity.deviceId)).status, 'answered')
      assert.deepEqual(heard, [id])
    },
  )

  await t.test('what a device took and its answer wait for each other in one order', async (t) => {
    const { enrol, device, ask, read } = devicesOf(t)
    const identity = await enrol()
    const { id } = await ask(identity.deviceId)
    // An answer holds its request first, and then takes the packet away.
    await soc.holding('SELECT FROM cps_attestations FOR UPDATE', async () => {
      await device(identity, { behaviour: 'silent' })
      await until('the note of the delivery waits', async () => {
        const waiting = await soc.query(
          `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%delivered_at%'`,
        )
        return waiting.length === 1
      })
      await soc.query('SELECT FROM cps_outbox FOR UPDATE NOWAIT')
    })
    await until('the delivery', async () => {
      const { items } = await read(`/cps/attestations?device_id=${identity.deviceId}`)
      return items[0].id === id && items[0].status === 'delivered'
    })
  })
})
