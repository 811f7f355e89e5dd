import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { processFixture } from '@manara/kit/testing/service-process'
import { ENTRY, openSlots } from './features/ota/slots.ts'
import { installProven } from './features/ota/testing/install-sample.ts'
import { updateKey } from './features/ota/testing/sample-image.ts'
import { quietBox } from './testing/quiet-box.ts'

const LAUNCHER = new URL('./launcher.ts', import.meta.url)

const VERSION = `
  import { writeSync } from 'node:fs'
  const odd = [null, 7, 'banner', [], {}, { banner: null }, { banner: 'one' }, { banner: [null, {}] }]
  for (const message of odd) process.send(message)
  setTimeout(() => writeSync(3, 'no message at all\\n'), 300)
  setTimeout(() => {
    process.send({ banner: ['it is up'] })
    process.send({ banner: ['it is up once more'] })
    setTimeout(() => console.log('it has said everything'), 300)
  }, 600)
  setInterval(() => {}, 1000)
  process.on('SIGTERM', () => process.exit(0))`

test('whatever a version sends, the launcher goes on, and it is up once', async (t) => {
  const { env, start } = processFixture(t, LAUNCHER, quietBox)
  const updatesDir = path.join(env.PLAYER_DATA, 'updates')
  mkdirSync(updatesDir, { recursive: true })
  const files = { [ENTRY]: VERSION, 'package.json': '{"type":"module"}' }
  const slots = openSlots(updatesDir, '')
  await installProven(slots, updateKey(), { version: '1.0.0', files })
  const launcher = start()
  await launcher.printed(/it has said everything/)
  await launcher.printed(/it is up/)
  assert.deepEqual(await launcher.end('SIGTERM'), { code: 0, signal: null })
  const told = launcher
    .output()
    .split('\n')
    .filter((line) => line.startsWith('it is up'))
  assert.deepEqual(told, ['it is up'])
})
