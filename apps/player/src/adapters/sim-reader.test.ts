import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { createManualClock } from '../testing/manual-clock.ts'
import { openSim, simSocket } from './sim-reader.ts'

async function setup(t: TestContext) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'sim-'))
  const clock = createManualClock()
  const seen: (string | undefined)[] = []
  // What a power cut leaves behind.
  writeFileSync(simSocket(dataDir), '')
  const reader = await openSim({ dataDir, clock }, (uid) => seen.push(uid))
  t.after(async () => {
    await reader.close()
    assert.equal(existsSync(simSocket(dataDir)), false)
    rmSync(dataDir, { recursive: true, force: true })
  })
  seen.splice(0)
  return {
    clock,
    seen,
    dataDir,
    /** The answer to one line, or an empty string when it hangs up. */
    say: (line: string) =>
      new Promise<string>((resolve) => {
        let reply = ''
        const socket = connect(simSocket(dataDir))
        socket.setEncoding('utf8').on('data', (text: string) => {
          reply += text
        })
        socket.on('error', () => {})
        socket.on('close', () => resolve(reply.trim()))
        socket.write(line)
      }),
  }
}

test('a card lies on the simulated reader for a second, or as long as asked', async (t) => {
  const { clock, say, seen } = await setup(t)
  assert.equal(await say('04:a1:b2:c3\n'), 'card 04A1B2C3 lies on the reader for 1 s')
  assert.deepEqual(seen, ['04A1B2C3'])
  clock.advance(1_000)
  assert.deepEqual(seen.splice(0), ['04A1B2C3', undefined])
  await say('04A1B2C3 2.5\n')
  clock.advance(2_499)
  assert.deepEqual(seen, ['04A1B2C3'])
  clock.advance(1)
  assert.deepEqual(seen, ['04A1B2C3', undefined])
})

test('a card put on another replaces it and lies its own time', async (t) => {
  const { clock, say, seen } = await setup(t)
  await say('04A1B2C3 10\n')
  clock.advance(9_000)
  await say('04D4E5F6 10\n')
  clock.advance(9_000)
  assert.deepEqual(seen, ['04A1B2C3', '04D4E5F6'])
})

test('what it does not understand is answered with the reason and taps nothing', async (t) => {
  const { say, seen } = await setup(t)
  assert.equal(await say('\n'), 'error: uid: must be 8, 14 or 20 hex digits')
  assert.equal(await say('card\n'), 'error: uid: must be 8, 14 or 20 hex digits')
  for (const seconds of ['x', '-1', '1e9', '86401', '1 2', 'NaN']) {
    assert.match(await say(`04A1B2C3 ${seconds}\n`), /^error: seconds: /, seconds)
  }
  assert.equal(await say('0'.repeat(10_000)), '')
  assert.deepEqual(seen, [])
})

test('only the user of the service may tap', async (t) => {
  const { dataDir } = await setup(t)
  assert.equal(statSync(simSocket(dataDir)).mode & 0o777, 0o600)
})
