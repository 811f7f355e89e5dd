import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrokerEvents } from '../../ports/device-broker.ts'
import { createSessionMemory } from './session-memory.ts'
import { mayPublish, maySubscribe, takesRequests } from './topic-access.ts'
import { createTwoSessionsWatch } from './two-sessions.ts'

const GATEWAY = { deviceId: 'g1', sparkplugNode: 'plant/edge 4' }

test('what a device may publish, subscribe and is reached by', () => {
  const publish: [string, boolean][] = [
    ['devices/g1/attestation', true],
    ['devices/g1/attestation_request', false],
    ['devices/g2/attestation', false],
    ['spBv1.0/plant/NBIRTH/edge 4', true],
    ['spBv1.0/plant/DDATA/edge 4/pump', true],
    ['spBv1.0/plant/NCMD/edge 4', false],
    ['spBv1.0/plant/DCMD/edge 4/pump', false],
    ['spBv1.0/plant/NDATA/edge 5', false],
    ['$SYS/anything', false],
  ]
  for (const [topic, may] of publish) assert.equal(mayPublish(GATEWAY, topic), may, topic)
  const subscribe: [string, boolean][] = [
    ['devices/g1/attestation_request', true],
    ['devices/g1/#', true],
    ['devices/+/attestation_request', false],
    ['devices/g10/#', false],
    ['#', false],
  ]
  for (const [filter, may] of subscribe) assert.equal(maySubscribe(GATEWAY, filter), may, filter)
  const reached: [string, boolean][] = [
    ['devices/g1/attestation_request', true],
    ['devices/g1/#', true],
    ['devices/g1/+', true],
    ['devices/g1/attestation', false],
    ['devices/g1/+/more', false],
  ]
  for (const [filter, is] of reached) assert.equal(takesRequests('g1', filter), is, filter)
})

test('a device that comes back is not taken for two, two that stay are', () => {
  let now = 0
  const watch = createTwoSessionsWatch<object>(() => now)
  const [first, second] = [{}, {}]
  assert.equal(watch.begins('d', 'a', first), undefined)
  now = 1
  assert.equal(watch.begins('d', 'b', second), undefined)
  assert.equal(watch.speaks('d', second), undefined)
  assert.match(watch.speaks('d', first) ?? '', /same time/)
  watch.ends('d', first)
  assert.equal(watch.speaks('d', second), undefined)
})

test('connections that push each other out are told after three times within a minute', () => {
  let now = 0
  const watch = createTwoSessionsWatch<object>(() => now)
  const told = [0, 1_000, 2_000, 3_000].map((at) => {
    now = at
    return watch.begins('d', 'd', {})
  })
  assert.deepEqual(told.slice(0, 3), [undefined, undefined, undefined])
  assert.match(told[3] ?? '', /3 times/)
  now = 200_000
  assert.equal(watch.begins('d', 'd', {}), undefined)
})

test('packets that are never released are forgotten in the end, whatever a device calls itself', async () => {
  const memory = createSessionMemory(() => undefined, {} as BrokerEvents)
  const isKnown = (id: string, messageId: number) =>
    memory.incomingGetPacket({ id }, { messageId }).then(
      () => true,
      () => false,
    )
  for (let number = 1; number <= 2_000; number += 1) {
    await memory.incomingStorePacket({ id: 'device same' }, { messageId: number })
    await memory.incomingStorePacket({ id: 'device released' }, { messageId: number })
    await memory.incomingDelPacket({ id: 'device released' }, { messageId: number })
  }
  assert.deepEqual(
    [await isKnown('device same', 1), await isKnown('device same', 2_000)],
    [false, true],
  )
  for (let number = 1; number <= 25_000; number += 1) {
    await memory.incomingStorePacket({ id: `device ${number}` }, { messageId: 1 })
  }
  assert.deepEqual([await isKnown('device 1', 1), await isKnown('device 25000', 1)], [false, true])
})
