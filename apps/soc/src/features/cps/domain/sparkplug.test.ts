import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMetrics, readTopic } from './sparkplug.ts'

test('births, deaths and data of nodes and devices are read, commands are not', () => {
  assert.deepEqual(readTopic('spBv1.0/plant/DDATA/edge 4/pump'), {
    group: 'plant',
    kind: 'DDATA',
    node: 'edge 4',
    device: 'pump',
  })
  assert.equal(readTopic('spBv1.0/plant/NBIRTH/edge 4')?.kind, 'NBIRTH')
  for (const topic of [
    'spBv1.0/plant/NCMD/edge 4',
    'spBv1.0/plant/DCMD/edge 4/pump',
    'spBv1.0/plant/NDATA/edge 4/pump',
    'spBv1.0/plant/DDATA/edge 4',
    'spBv1.0/STATE/host',
    'devices/x/attestation',
  ]) {
    assert.equal(readTopic(topic), undefined, topic)
  }
})

test('values come with their kinds, and what is no payload is none', () => {
  const metric = (...fields: number[][]) => {
    const body = Buffer.from(fields.flat())
    return Buffer.from([0x12, body.length, ...body])
  }
  const name = (text: string) => [0x0a, text.length, ...Buffer.from(text)]
  const payload = Buffer.concat([
    metric(name('speed'), [0x20, 0x03], [0x50, 0xff, 0xff, 0xff, 0xff, 0x0f]),
    metric(name('total'), [0x20, 0x08], [0x58, ...Array(9).fill(0xff), 0x01]),
    metric(name('heat'), [0x20, 0x0a], [0x69, 0, 0, 0, 0, 0, 0xc0, 0x34, 0x40]),
    metric(name('on'), [0x20, 0x0b], [0x70, 0x01]),
    metric([0x10, 0x07], [0x7a, 2, ...Buffer.from('ok')]),
    metric(name('gone'), [0x38, 0x01]),
  ])
  assert.deepEqual(readMetrics(payload), [
    { name: 'speed', alias: null, value: -1 },
    { name: 'total', alias: null, value: '18446744073709551615' },
    { name: 'heat', alias: null, value: 20.75 },
    { name: 'on', alias: null, value: true },
    { name: null, alias: '7', value: 'ok' },
    { name: 'gone', alias: null, value: null },
  ])
  assert.equal(readMetrics(payload.subarray(0, 20)), undefined)
  assert.equal(readMetrics(Buffer.from('{"json": true}')), undefined)
})

test('what a gateway kept while it was offline is not how things are now', () => {
  const past = [0x0a, 1, 0x61, 0x20, 0x03, 0x28, 0x01, 0x50, 7]
  const now = [0x0a, 1, 0x61, 0x20, 0x03, 0x28, 0x00, 0x50, 9]
  const payload = Buffer.from([...[0x12, now.length, ...now], ...[0x12, past.length, ...past]])
  assert.deepEqual(readMetrics(payload), [{ name: 'a', alias: null, value: 9 }])
})
