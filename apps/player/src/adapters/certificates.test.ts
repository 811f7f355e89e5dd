import assert from 'node:assert/strict'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import tls from 'node:tls'
import { listen } from '../testing/local-server.ts'
import { selfSigned } from '../testing/self-signed.ts'
import { type Certificate, createCertificates } from './certificates.ts'
import { issueLeaf } from './x509/issue.ts'

const DAY_MS = 86_400_000
const NAMES = [
  'localhost',
  'minaret',
  'minaret.local',
  'pi.attic.example',
  '127.0.0.1',
  '192.168.1.20',
  '::1',
  'fe80::1',
  'fd12:3456::9',
  '2001:db8::9',
  '198.51.100.20',
  '2001:db8:7::9',
]

function setup(t: TestContext) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'certificates-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  const state = {
    names: NAMES,
    networks: ['198.51.100.20/24', '2001:db8:7::9/64'],
    ms: Date.now(),
    isTrusted: true,
  }
  const open = () =>
    createCertificates({
      dataDir,
      names: () => state.names,
      networks: () => state.networks,
      now: () => ({ ...state }),
    })
  return { dataDir, state, open, read: (file: string) => readFileSync(path.join(dataDir, file)) }
}

/** What a phone with this root installed says of the server: undefined when it is satisfied. */
async function complaint(t: TestContext, pair: Certificate, ca: string, servername: string) {
  const port = await listen(t, createServer(pair))
  const isAddress = /^[\d.:a-f]+$/.test(servername)
  const socket = tls.connect({
    ...{ port, host: '127.0.0.1', ca },
    ...(isAddress ? {} : { servername }),
    checkServerIdentity: (_host, cert) => tls.checkServerIdentity(servername, cert),
  })
  const outcome = await once(socket, 'secureConnect').then(
    () => undefined,
    (error: Error) => error.message,
  )
  socket.destroy()
  return outcome
}

for (const name of [
  'localhost',
  'minaret.local',
  '127.0.0.1',
  '192.168.1.20',
  'fe80::1',
  'fd12:3456::9',
  '198.51.100.20',
  '2001:db8:7::9',
]) {
  test(`a phone that has installed the root trusts the box as ${name}`, async (t) => {
    const certificates = setup(t).open()
    assert.equal(await complaint(t, certificates.current(), certificates.root.pem, name), undefined)
  })
}

test('names that its root may not vouch for are left out, so that the others stay valid', (t) => {
  const { subjectAltName = '' } = new X509Certificate(setup(t).open().current().cert)
  assert.doesNotMatch(subjectAltName, /attic|2001:DB8:0|DNS:minaret,/)
})

test('who steals the root key can vouch for no other site or address with it', async (t) => {
  const { open, read } = setup(t)
  const { root } = open()
  const key = createPrivateKey(read('ca.key'))
  const commonName = new X509Certificate(root.pem).subject.replace(/^CN=/, '')
  for (const name of ['bank.example', 'localhost.example', '203.0.113.7', '2001:db8::9']) {
    const leaf = issueLeaf({ commonName, key }, { commonName: name, key }, [name], {
      from: new Date(Date.now() - DAY_MS),
      until: new Date(Date.now() + DAY_MS),
    })
    const pair = { key: String(read('ca.key')), cert: leaf }
    assert.match(
      (await complaint(t, pair, root.pem, name)) ?? '',
      /permitted subtree violation/,
      name,
    )
  }
})

test('the certificate is valid for 397 days at most, and from the day before', (t) => {
  const { open, state } = setup(t)
  const cert = new X509Certificate(open().current().cert)
  const days = (cert.validToDate.getTime() - cert.validFromDate.getTime()) / DAY_MS
  assert.ok(days > 390 && days <= 397, String(days))
  assert.ok(cert.validFromDate.getTime() < state.ms)
  assert.equal(cert.ca, false)
})

test('it is kept over restarts, and the root too', (t) => {
  const { open } = setup(t)
  const first = open()
  const pair = first.current()
  assert.deepEqual(open().current(), pair)
  assert.deepEqual(open().root, first.root)
  assert.equal(open().renewed(), undefined)
})

test('the keys are for the service alone', (t) => {
  const { dataDir, open } = setup(t)
  open().current()
  for (const name of ['ca.key', 'tls.key']) {
    assert.equal(statSync(path.join(dataDir, name)).mode & 0o777, 0o600)
  }
})

const CHANGES: [
  what: string,
  change: (state: { names: string[]; ms: number }) => void,
  isNew: boolean,
][] = [
  [
    'a new address',
    (state) => {
      state.names = [...state.names, '10.1.2.3']
    },
    true,
  ],
  [
    'a new name',
    (state) => {
      state.names = ['kitchen.local']
    },
    true,
  ],
  [
    'an address that went away',
    (state) => {
      state.names = ['localhost']
    },
    false,
  ],
  [
    'another address in the network it was made in',
    (state) => {
      state.names = [...state.names, '198.51.100.77']
    },
    true,
  ],
  [
    'a public address, which it may not hold',
    (state) => {
      state.names = [...state.names, '203.0.113.7']
    },
    false,
  ],
  [
    'a month before its end',
    (state) => {
      state.ms += 367 * DAY_MS
    },
    true,
  ],
  [
    'ten months',
    (state) => {
      state.ms += 300 * DAY_MS
    },
    false,
  ],
]

for (const [what, change, isNew] of CHANGES) {
  test(`${what}: ${isNew ? 'it is renewed by the same root' : 'it stays'}`, (t) => {
    const { open, state } = setup(t)
    const certificates = open()
    const before = certificates.current()
    change(state)
    const fresh = certificates.renewed()
    assert.equal(fresh !== undefined, isNew)
    if (!fresh) return
    assert.notEqual(fresh.cert, before.cert)
    assert.equal(certificates.renewed(), undefined, 'once')
    assert.ok(
      new X509Certificate(fresh.cert).verify(new X509Certificate(certificates.root.pem).publicKey),
    )
  })
}

test('a first boot in 1970: valid from a fixed day, and renewed when the time is set', (t) => {
  const { open, state } = setup(t)
  Object.assign(state, { ms: 5_000, isTrusted: false })
  const certificates = open()
  const early = new X509Certificate(certificates.current().cert)
  assert.equal(early.validFromDate.toISOString(), '2025-12-31T00:00:00.000Z')
  assert.equal(certificates.renewed(), undefined)
  Object.assign(state, { ms: Date.parse('2031-05-05T12:00:00Z'), isTrusted: true })
  const fresh = new X509Certificate(certificates.renewed()?.cert ?? '')
  assert.equal(fresh.validFromDate.toISOString(), '2031-05-04T00:00:00.000Z')
})

test('a clock that fell back renews nothing until somebody vouches for it', (t) => {
  const { open, state } = setup(t)
  const certificates = open()
  certificates.current()
  Object.assign(state, { ms: state.ms - 200 * DAY_MS, isTrusted: false })
  assert.equal(certificates.renewed(), undefined)
  state.isTrusted = true
  assert.equal(certificates.renewed() !== undefined, state.ms > Date.parse('2026-01-01'))
})

test('the certificate of an earlier version, signed by itself, is replaced', async (t) => {
  const { dataDir, open } = setup(t)
  const old = selfSigned(['localhost', '127.0.0.1'])
  writeFileSync(path.join(dataDir, 'tls.key'), old.key)
  writeFileSync(path.join(dataDir, 'tls.crt'), old.cert)
  const certificates = open()
  assert.notEqual(certificates.current().cert, old.cert)
  assert.equal(
    await complaint(t, certificates.current(), certificates.root.pem, 'localhost'),
    undefined,
  )
})

for (const file of ['ca.key', 'ca.crt', 'tls.key', 'tls.crt']) {
  test(`a power cut that tore ${file} leaves a box that starts with a matching pair`, async (t) => {
    const { dataDir, open } = setup(t)
    open().current()
    writeFileSync(path.join(dataDir, file), '')
    const certificates = open()
    const pair = certificates.current()
    assert.equal(await complaint(t, pair, certificates.root.pem, 'localhost'), undefined)
    assert.deepEqual(open().current(), pair)
  })
}
