import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { createManualClock } from '../testing/manual-clock.ts'
import { openPcsc } from './pcsc-reader.ts'
import { systemClock } from './system-clock.ts'

/** What the real daemon cannot be made to say, by command number. */
type Answer = Buffer | ((request: Buffer) => Buffer)

async function daemon(t: TestContext, answers: Record<number, Answer>) {
  const folder = mkdtempSync(path.join(tmpdir(), 'pcsc-'))
  const socket = path.join(folder, 'pcscd.comm')
  const connections = new Set<Socket>()
  const asked: number[] = []
  const waiting = new Set<() => void>()
  const server = createServer((connection) => {
    connections.add(connection)
    connection.on('error', () => {})
    connection.on('data', (bytes) => {
      const command = bytes.readUInt32LE(4)
      asked.push(command)
      const answer = answers[command]
      if (answer) connection.write(typeof answer === 'function' ? answer(bytes) : answer)
      for (const wake of waiting) wake()
    })
  })
  server.listen(socket)
  await once(server, 'listening')
  t.after(() => {
    for (const connection of connections) connection.destroy()
    server.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    socket,
    asked: (command: number) =>
      new Promise<void>((resolve) => {
        const look = () => (asked.includes(command) ? resolve() : undefined)
        waiting.add(look)
        look()
      }),
  }
}

const STOPPED = 0x8010001e
const words = (...values: number[]) => Buffer.from(new Uint32Array(values).buffer)
const WELCOME = { 17: words(4, 4, 0), 1: words(2, 77, 0) }
const open = (socket: string, clock = systemClock, see = (_: string | undefined) => {}) =>
  openPcsc({ socket, clock }, see)

function oneReader(name: string, state = 0): Buffer {
  const states = Buffer.alloc(16 * 184)
  states.write(name)
  states.writeUInt32LE(state, 132)
  return states
}

for (const [what, answers, reason] of [
  ['that knows no reader', { ...WELCOME, 18: Buffer.alloc(16 * 184) }, 'pcscd knows no reader'],
  ['of another version', { 17: words(5, 0, STOPPED) }, 'pcscd speaks protocol 5.0, not 4.4'],
  [
    'that lets this user not in',
    { ...WELCOME, 1: words(2, 0, 0x8010006a) },
    'pcscd does not let this user in (polkit)',
  ],
] as const) {
  test(`a pcscd ${what} is refused with the reason`, async (t) => {
    const { socket } = await daemon(t, answers)
    await assert.rejects(open(socket), { message: reason })
  })
}

test('a pcscd that never answers is given up, and nothing waits for it', async (t) => {
  const { asked, socket } = await daemon(t, {})
  const clock = createManualClock()
  const opening = assert.rejects(open(socket, clock), { message: 'pcscd does not answer' })
  await asked(0x11)
  clock.advance(3_000)
  await opening
})

test('without pcscd the reason says so', async () => {
  const none = path.join(tmpdir(), 'no-such-pcscd.comm')
  await assert.rejects(open(none), { message: `pcscd does not run (${none})` })
})

test('a reader that is pulled out of a running pcscd is told', async (t) => {
  const states = oneReader('ACS ACR122U 00 00')
  const { socket } = await daemon(t, { ...WELCOME, 18: states })
  const reader = await open(socket)
  assert.equal(reader.name, 'ACS ACR122U 00 00')
  states.fill(0)
  assert.equal(await reader.ended, 'ACS ACR122U 00 00 was unplugged')
})

test('a later pcscd, which takes its own version only, is asked again with that', async (t) => {
  const offered: number[] = []
  const { socket } = await daemon(t, {
    ...WELCOME,
    17(request) {
      const minor = request.readUInt32LE(12)
      offered.push(minor)
      return words(4, 5, minor === 5 ? 0 : STOPPED)
    },
    18: oneReader('Reader'),
  })
  const reader = await open(socket)
  await reader.close()
  assert.deepEqual(offered, [4, 5])
})

test('a card that cannot be read, for another program holds it, counts as none', async (t) => {
  const PRESENT = 0x34
  const SHARING_VIOLATION = 0x8010000b
  const refused = Buffer.concat([Buffer.alloc(148), words(SHARING_VIOLATION)])
  const { socket } = await daemon(t, { ...WELCOME, 18: oneReader('Reader', PRESENT), 4: refused })
  const seen = await new Promise<string | undefined>((resolve, reject) => {
    open(socket, systemClock, resolve).then((reader) => t.after(reader.close), reject)
  })
  assert.equal(seen, undefined)
})
