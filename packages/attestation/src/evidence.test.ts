import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { encode } from 'cborg'
import { type Claims, readEvidence, signEvidence } from './evidence.ts'
import { encodeRequest, parseRequest } from './request.ts'
import { deviceOfEvidence, evidenceTopic } from './topics.ts'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const FINGERPRINT = 'ab'.repeat(32)

const CLAIMS: Claims = {
  device_id: '0198c0de-0000-7000-8000-00000000002a',
  nonce: Buffer.alloc(32, 7).toString('base64url'),
  issued_at: '2026-11-15T12:00:00.000Z',
  firmware: { name: 'player', version: '1.4.2', sha256: '11'.repeat(32) },
  measurements: [
    { name: 'loader', sha256: '22'.repeat(32) },
    { name: 'configuration', sha256: '33'.repeat(32) },
  ],
  boot_count: 12,
  boot_seed: '44'.repeat(16),
  uptime_s: 3600,
  debug: false,
}

test('what a device signs is what is read, with the certificate it names', () => {
  const evidence = readEvidence(signEvidence(CLAIMS, privateKey, FINGERPRINT))
  assert.deepEqual(evidence.claims, CLAIMS)
  assert.equal(evidence.fingerprint, FINGERPRINT)
  assert.equal(evidence.isSignedBy(publicKey), true)
})

test('another key, or one changed byte anywhere, is noticed', () => {
  const signed = signEvidence(CLAIMS, privateKey, FINGERPRINT)
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
  assert.equal(readEvidence(signed).isSignedBy(other), false)
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey
  assert.equal(readEvidence(signed).isSignedBy(rsa), false)
  for (let at = 0; at < signed.length; at += 1) {
    const changed = Buffer.from(signed)
    changed.writeUInt8((changed.readUInt8(at) + 1) & 255, at)
    assert.equal(holds(changed), false, `byte ${at}`)
  }
})

function holds(bytes: Buffer): boolean {
  try {
    return readEvidence(bytes).isSignedBy(publicKey)
  } catch (error) {
    assert.equal((error as Error).name, 'MalformedEvidence')
    return false
  }
}

test('bytes that are no evidence are refused in words', () => {
  const cases: [string, Uint8Array, RegExp][] = [
    ['nothing', Buffer.alloc(0), /CBOR/],
    ['text', Buffer.from('attest this'), /CBOR|COSE_Sign1/],
    ['another value', encode({ a: 1 }), /COSE_Sign1 is not a list/],
    ['too few parts', encode([Buffer.alloc(0)]), /four parts/],
    ['a cut message', signEvidence(CLAIMS, privateKey, FINGERPRINT).subarray(0, 60), /CBOR/],
    ['something behind it', Buffer.concat([encode([]), Buffer.from([0])]), /CBOR/],
  ]
  for (const [what, bytes, reason] of cases) {
    assert.throws(() => readEvidence(bytes), { name: 'MalformedEvidence', message: reason }, what)
  }
})

test('a request comes back as it was asked; anything else is none', () => {
  const request = {
    id: 'a',
    device_id: 'b',
    nonce: 'c',
    requested_at: '2026-11-15T12:00:00.000Z',
    expires_at: '2026-11-15T12:05:00.000Z',
  }
  assert.deepEqual(parseRequest(encodeRequest(request)), request)
  for (const payload of ['', '[]', 'null', '{"event":"attestation_request"}', '{"event":"else"}']) {
    assert.equal(parseRequest(Buffer.from(payload)), undefined, payload)
  }
})

test('only the topic of answers names a device that answers', () => {
  assert.equal(deviceOfEvidence(evidenceTopic('x')), 'x')
  for (const topic of ['devices/x/attestation_request', 'devices/a/b/attestation', 'devices/x']) {
    assert.equal(deviceOfEvidence(topic), undefined, topic)
  }
})

test('names that nobody could keep or read are refused', () => {
  for (const [name, reason] of [
    ['a\0b', /without NUL/],
    ['x'.repeat(1_001), /more than 1000 characters/],
  ] as const) {
    for (const change of [
      { firmware: { ...CLAIMS.firmware, name } },
      { firmware: { ...CLAIMS.firmware, version: name } },
      { measurements: [{ name, sha256: '22'.repeat(32) }] },
    ]) {
      const bytes = signEvidence({ ...CLAIMS, ...change }, privateKey, FINGERPRINT)
      assert.throws(() => readEvidence(bytes), { name: 'MalformedEvidence', message: reason })
    }
  }
})
