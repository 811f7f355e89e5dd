import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { canonicalJson } from '@manara/soc-contract/canonical-json'
import type { SignedHead } from '@manara/soc-contract/proofs'
import { createCommandSigner } from '../command-signer.ts'
import { createSyslogAnchor } from './syslog-anchor.ts'
import { createTimeStampAnchor } from './time-stamp-anchor.ts'
import { createWebhookAnchor } from './webhook-anchor.ts'

const head: SignedHead = {
  format: 'soc-head-1',
  chain: 'audit',
  size: 3,
  head: 'a'.repeat(64),
  root: 'b'.repeat(64),
  at: '2026-03-02T08:00:00.000Z',
  key_id: 'c'.repeat(64),
  signature: 'AAAA',
}

function folder(t: TestContext): string {
  const made = mkdtempSync(path.join(tmpdir(), 'soc-anchors-'))
  t.after(() => rmSync(made, { recursive: true, force: true }))
  return made
}

async function listening(t: TestContext, server: ReturnType<typeof createTcpServer>) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return (server.address() as AddressInfo).port
}

/** A small time-stamping authority, as OpenSSL makes one. */
function makeAuthority(directory: string) {
  writeFileSync(
    path.join(directory, 'tsa.cnf'),
    `[req]
distinguished_name = name
[name]
[ext]
extendedKeyUsage = critical,timeStamping
[tsa]
default_tsa = tsa_config
[tsa_config]
serial = ${directory}/serial
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
ess_cert_id_alg = sha256
`,
  )
  writeFileSync(path.join(directory, 'serial'), '01\n')
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { cwd: directory, stdio: 'pipe' })
  openssl(
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=tsa', '-days', '2'],
    ...['-config', 'tsa.cnf', '-extensions', 'ext', '-keyout', 'tsa.key', '-out', 'tsa.pem'],
  )
  return openssl
}

test('a time stamp of RFC 3161 is taken, kept, and good for openssl ts -verify', async (t) => {
  const directory = folder(t)
  const openssl = makeAuthority(directory)
  const server = createServer(async (request, reply) => {
    assert.equal(request.headers['content-type'], 'application/timestamp-query')
    writeFileSync(path.join(directory, 'query.tsq'), await buffer(request))
    openssl(
      ...['ts', '-reply', '-config', 'tsa.cnf', '-queryfile', 'query.tsq', '-signer', 'tsa.pem'],
      ...['-inkey', 'tsa.key', '-out', 'reply.tsr'],
    )
    reply.end(readFileSync(path.join(directory, 'reply.tsr')))
  })
  const port = await listening(t, server)
  const noted = (await createTimeStampAnchor(`http://127.0.0.1:${port}/`).publish(head)) as {
    imprint: string
    reply: string
  }
  assert.equal(noted.imprint, createHash('sha256').update(canonicalJson(head)).digest('hex'))
  writeFileSync(path.join(directory, 'kept.tsr'), Buffer.from(noted.reply, 'base64'))
  const told = openssl(
    ...['ts', '-verify', '-digest', noted.imprint, '-in', 'kept.tsr', '-CAfile', 'tsa.pem'],
  )
  assert.match(String(told), /Verification: OK/)
})

test('a time stamp for something else, or a refusal, is none', async (t) => {
  let answer = Buffer.alloc(0)
  const server = createServer((request, reply) => {
    request.resume()
    reply.end(answer)
  })
  const anchor = createTimeStampAnchor(`http://127.0.0.1:${await listening(t, server)}/`)
  for (const [bytes, why] of [
    ['30053003020102', /refused/],
    ['30053003020100', /not for what was asked/],
    ['', /refused/],
    ['3085ffffffffff', /refused/],
  ] as const) {
    answer = Buffer.from(bytes, 'hex')
    await assert.rejects(anchor.publish(head), why)
  }
})

test('a webhook gets the head as JSON, and anything but 2xx is no success', async (t) => {
  let status = 204
  const bodies: string[] = []
  const server = createServer(async (request, reply) => {
    bodies.push(String(await buffer(request)))
    reply.writeHead(status).end()
  })
  const anchor = createWebhookAnchor(`http://127.0.0.1:${await listening(t, server)}/`)
  await anchor.publish(head)
  assert.deepEqual(JSON.parse(bodies[0] ?? ''), head)
  status = 500
  await assert.rejects(anchor.publish(head), /answered 500/)
})

test('a syslog gets one RFC 5424 message in its frame', async (t) => {
  const received = Promise.withResolvers<string>()
  const server = createTcpServer(async (socket) => received.resolve(String(await buffer(socket))))
  await createSyslogAnchor({ host: '127.0.0.1', port: await listening(t, server) }).publish(head)
  const [length, ...rest] = (await received.promise).split(' ')
  const message = rest.join(' ')
  assert.equal(Buffer.byteLength(message), Number(length))
  assert.match(message, /^<109>1 2026-03-02T08:00:00.000Z \S+ soc \d+ anchor - \{"format"/)
})

test('another program signs with a key that this service never has', async (t) => {
  const directory = folder(t)
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const [key, pub] = [path.join(directory, 'key.pem'), path.join(directory, 'pub.pem')]
  writeFileSync(key, privateKey.export({ format: 'pem', type: 'pkcs8' }))
  writeFileSync(pub, publicKey.export({ format: 'pem', type: 'spki' }))
  const command = `cat > ${directory}/in && openssl pkeyutl -sign -rawin -inkey ${key} -in ${directory}/in`
  const signature = await createCommandSigner(command, pub).sign(Buffer.from('message'))
  assert.equal(signature.length, 64)
  await assert.rejects(createCommandSigner('exit 3', pub).sign(Buffer.from('x')), /ended with 3/)
  await assert.rejects(
    createCommandSigner('head -c 64 /dev/zero', pub).sign(Buffer.from('x')),
    /fit/,
  )
  assert.throws(() => createCommandSigner('true', path.join(directory, 'none')), {
    name: 'StartError',
  })
})
