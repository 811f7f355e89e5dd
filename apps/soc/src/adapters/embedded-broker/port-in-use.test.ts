import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { until } from '../../testing/until.ts'
import { openEmbeddedBroker } from '../embedded-broker.ts'

test('a broker whose port is in use leaves nothing running: it is tried again every few seconds', async (t) => {
  const other = createServer().listen(0, '127.0.0.1')
  t.after(() => other.close())
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  const opening = openEmbeddedBroker({
    ...{ host: '127.0.0.1', port, tls: { key: '', cert: '', ca: '' } },
    ...{ events: {} as never, networkOf: String, now: Date.now },
  })
  await assert.rejects(opening, { code: 'EADDRINUSE' })
  // Others in this process begin and end theirs; what was left running never ends.
  await until('no more timers than before', () => timers() <= before)
})
