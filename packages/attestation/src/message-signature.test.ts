import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { readSignature, signMessage } from './message-signature.ts'

const { privateKey: key, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const fingerprint = 'ab'.repeat(32)
const message = { method: 'POST', path: '/api/v1/x', body: Buffer.from('{"a":1}') }
const headers = signMessage(message, { key, fingerprint, created: 1_772_452_800 })

test('a signed message is read with who signed it and when', () => {
  const read = readSignature(message, headers)
  assert.ok(typeof read === 'object')
  assert.deepEqual([read.fingerprint, read.created], [fingerprint, 1_772_452_800])
  assert.equal(read.isSignedBy(publicKey), true)
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
  assert.equal(read.isSignedBy(other), false)
})

const CHANGED: [string, object, object][] = [
  ['another path', { path: '/api/v1/y' }, {}],
  ['another method', { method: 'PUT' }, {}],
  ['another body', { body: Buffer.from('{"a":2}') }, {}],
  ['another time', {}, { 'signature-input': headers['signature-input'].replace('1772', '1773') }],
  ['nothing signed', {}, { signature: undefined }],
  ['less covered', {}, { 'signature-input': headers['signature-input'].replace('"@path" ', '') }],
  ['nonsense', {}, { signature: 'sig=:!!:' }],
]

for (const [name, change, headerChange] of CHANGED) {
  test(`a signature does not hold for ${name}`, () => {
    const read = readSignature({ ...message, ...change }, { ...headers, ...headerChange })
    assert.equal(typeof read === 'object' && read.isSignedBy(publicKey), false)
  })
}
