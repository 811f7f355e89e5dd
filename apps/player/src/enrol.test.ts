import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { createServer as createTlsServer } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { claimDataDir } from '@manara/kit/data-dir'
import { openStore } from './db/open-store.ts'

function run(program: string, words: string[], env: Record<string, string> = {}) {
  const file = fileURLToPath(new URL(program, import.meta.url))
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...words], {
    env: { PATH: process.env.PATH, PLAYER_DATA: '/nowhere', ...env },
    encoding: 'utf8',
  })
  assert.deepEqual([status, stdout], [1, ''])
  return stderr
}

const ASKED = ['--soc', 'https://soc.example', '--code', 'MNRA-1234-5678']

test('player:enrol that cannot begin says why without a stack', () => {
  const badPort = 'PLAYER_PORT: must be a port, got "abc"\n'
  assert.equal(run('enrol.ts', ASKED, { PLAYER_PORT: 'abc' }), badPort)
  assert.match(run('enrol.ts', [...ASKED, '--cod', 'x']), /^Unknown option '--cod'.*\nusage: .*\n$/)
  assert.match(run('enrol.ts', [...ASKED, '--ca', '/nowhere.pem']), /^ENOENT: .*nowhere\.pem'\n$/)
})

test('player:enrol beside a player at another port uses no code up and names the port', (t) => {
  const data = mkdtempSync(path.join(tmpdir(), 'enrol-'))
  t.after(() => rmSync(data, { recursive: true }))
  const { release } = claimDataDir(data, 'PLAYER_DATA')
  t.after(release)
  assert.match(
    run('enrol.ts', ASKED, { PLAYER_DATA: data, PLAYER_PORT: '1' }),
    /^no player answers at port 1 \(PLAYER_PORT\): data directory \S+ is in use by process \d+: .*\n$/,
  )
})

/** Beside a player at this port, as far as its data folder tells. */
async function enrolAt(t: Pick<TestContext, 'after'>, port: number, tls: string) {
  const data = mkdtempSync(path.join(tmpdir(), 'enrol-'))
  t.after(() => rmSync(data, { recursive: true }))
  const store = openStore(data)
  store.exec(`INSERT INTO device VALUES ('token', '${'ab'.repeat(32)}')`)
  store.close()
  const env = { PATH: process.env.PATH, PLAYER_DATA: data, PLAYER_PORT: String(port) }
  const file = fileURLToPath(new URL('enrol.ts', import.meta.url))
  const child = execFile(process.execPath, [file, ...ASKED], { env: { ...env, PLAYER_TLS: tls } })
  const [said, [status]] = await Promise.all([text(child.stderr as Readable), once(child, 'exit')])
  return { said, status }
}

test('player:enrol whose answer breaks off says so without a stack', async (t) => {
  const server = createServer((_, reply) => {
    reply.writeHead(200, { 'content-length': 100 })
    reply.write('{"device_id":', () => reply.destroy())
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { said, status } = await enrolAt(t, port, 'off')
  assert.deepEqual([status, said], [1, 'the answer of the player broke off: aborted\n'])
})

for (const [its, ours, listen] of [
  ['off', 'on', () => createServer()],
  ['on', 'off', () => createTlsServer()],
] as const)
  test(`player:enrol with PLAYER_TLS=${ours} beside a player with PLAYER_TLS=${its} names the setting`, async (t) => {
    const server = listen().listen(0, '127.0.0.1')
    t.after(() => server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { said, status } = await enrolAt(t, port, ours)
    assert.equal(status, 1)
    assert.match(
      said,
      new RegExp(`^what listens at port ${port} .*started with PLAYER_TLS=${its}, start .*\n$`),
    )
  })

test('player:tap with a bad setting names it without a stack', () => {
  const badPort = 'PLAYER_PORT: must be a port, got "abc"\n'
  assert.equal(run('tap.ts', ['04A1B2C3'], { PLAYER_PORT: 'abc' }), badPort)
})
