import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { decodeHeader, encodeHeader, isSignedBy, keyFromBase64, parseKeys } from './image-header.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const other = generateKeyPairSync('ed25519').publicKey
const header = encodeHeader({ version: '1.0.0', size: 12 }, privateKey)
const pem = (key: typeof publicKey) => key.export({ type: 'spki', format: 'pem' }) as string

test('a header is read again, whatever follows it, and asks for more until it is whole', () => {
  for (let length = 0; length < header.length; length += 1) {
    assert.equal(decodeHeader(header.subarray(0, length)), undefined, `${length} bytes`)
  }
  const read = decodeHeader(Buffer.concat([header, Buffer.from('archive')]))
  assert.deepEqual(JSON.parse(read?.manifest ?? ''), { version: '1.0.0', size: 12 })
  assert.equal(read?.length, header.length)
  assert.ok(read && isSignedBy(read, [other, publicKey]))
  assert.ok(read && !isSignedBy(read, [other]))
  assert.ok(read && !isSignedBy(read, []))
})

test('no bit of a header can be turned without the signature noticing', () => {
  for (let bit = 0; bit < header.length * 8; bit += 1) {
    const turned = Buffer.from(header)
    turned[bit >> 3] = (turned[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    assert.ok(!passes(turned), `bit ${bit}`)
  }
})

function passes(start: Buffer): boolean {
  try {
    const read = decodeHeader(Buffer.concat([start, Buffer.alloc(9_000)]))
    return read !== undefined && isSignedBy(read, [publicKey])
  } catch {
    return false
  }
}

test('a length that no manifest has is refused at once, not waited for', () => {
  const huge = Buffer.from(header)
  huge.writeUInt32BE(0xffff_ffff, 8)
  assert.throws(() => decodeHeader(huge), /too long/)
  assert.throws(() => decodeHeader(Buffer.from('PK')), /not a firmware image/)
})

test('keys come one or several in a file, and are Ed25519', () => {
  assert.equal(parseKeys('').length, 0)
  const keys = parseKeys(`# ours\n${pem(other)}\n${pem(publicKey)}`)
  assert.ok(keys[1]?.equals(publicKey))
  const der = publicKey.export({ type: 'spki', format: 'der' })
  assert.ok(keyFromBase64(der.toString('base64')).equals(publicKey))
  const weak = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
  assert.throws(() => parseKeys(pem(weak)), /must be Ed25519/)
})
