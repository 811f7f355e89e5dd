import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { processFixture } from '@manara/kit/testing/service-process'
import { ENTRY, openSlots } from './features/ota/slots.ts'
import { installProven } from './features/ota/testing/install-sample.ts'
import { updateKey } from './features/ota/testing/sample-image.ts'
import { quietBox } from './testing/quiet-box.ts'

const LAUNCHER = new URL('./launcher.ts', import.meta.url)
const KEY = updateKey()

/** A version that comes up if its second file says what it should, or fails with it. */
const versionFiles = (version: string) => ({
  [ENTRY]: `
    import { word } from './word.ts'
    if (word !== 'whole') process.exit(7)
    process.send({ banner: ['${version} is up'] })
    setInterval(() => {}, 1000)
    process.on('SIGTERM', () => process.exit(0))`,
  [WORD]: "export const word = 'whole'",
  'package.json': '{"type":"module"}',
})
const WORD = 'apps/player/src/word.ts'

async function setup(t: TestContext) {
  const box = processFixture(t, LAUNCHER, quietBox)
  const updatesDir = path.join(box.env.PLAYER_DATA, 'updates')
  mkdirSync(updatesDir, { recursive: true })
  const slots = openSlots(updatesDir, '')
  const spoil = (slot: 'a' | 'b', file: string, content: string) =>
    writeFileSync(path.join(slots.dir(slot), file), content)
  const put = (version: string) =>
    installProven(slots, KEY, { version, files: versionFiles(version) })
  return { ...box, slots, spoil, put }
}

const damages: [name: string, file: string, content: string][] = [
  ['an empty entry, which ends at once and without a word', ENTRY, ''],
  ['a file that holds something else', WORD, "export const word = 'damaged'"],
  ['an entry that cannot be read', ENTRY, '\u0000\u0000'],
]
for (const [name, file, content] of damages) {
  test(`a proven version with ${name} is unpacked anew and comes up`, async (t) => {
    const { put, slots, spoil, start } = await setup(t)
    await put('1.0.0')
    spoil('a', file, content)
    const launcher = start()
    await launcher.printed(/1\.0\.0 is up/)
    assert.match(launcher.output(), /launcher: a is damaged on the disk: unpacking 1\.0\.0 anew/)
    assert.equal(launcher.output().match(/starting a\n/g)?.length, 2)
    assert.equal(slots.readRecord().active, 'a')
  })
}

test('a record that the disk has spoilt is read from its copy; one that was removed is not', async (t) => {
  const { put, slots } = await setup(t)
  await put('1.0.0')
  const record = path.join(slots.updatesDir, 'boot.json')
  const written = readFileSync(record, 'utf8')
  for (const spoilt of ['', written.replace(':', ';'), written.replace('active', 'actyve')]) {
    writeFileSync(record, spoilt)
    assert.equal(slots.readRecord().active, 'a')
  }
  rmSync(record)
  assert.equal(slots.readRecord().active, 'factory')
})

test('a proven version whose folder is gone is unpacked anew before anything is started', async (t) => {
  const { put, slots, start } = await setup(t)
  await put('1.0.0')
  rmSync(slots.dir('a'), { recursive: true })
  const launcher = start()
  await launcher.printed(/1\.0\.0 is up/)
  assert.equal(launcher.output().match(/starting \w+\n/g)?.length, 1)
})

test('one that cannot be mended gives way to the one before it, and that is told', async (t) => {
  const { put, slots, spoil, start } = await setup(t)
  await put('1.0.0')
  await put('2.0.0')
  spoil('b', WORD, '')
  const archive = readFileSync(slots.archive('b'))
  writeFileSync(slots.archive('b'), archive.fill(0, 20, 40))
  const launcher = start()
  await launcher.printed(/1\.0\.0 is up/)
  const { active, before, last } = slots.readRecord()
  assert.deepEqual([active, before, last?.status], ['a', null, 'rolled_back'])
  assert.match(last?.error ?? '', /^2\.0\.0 was damaged on the disk: .*digest/)
})

test('without one before it, what the box was set up with is started', async (t) => {
  const { put, slots, spoil, start } = await setup(t)
  await put('1.0.0')
  spoil('a', ENTRY, '')
  rmSync(slots.archive('a'))
  const launcher = start()
  await launcher.printed(/starting factory\n[\s\S]*player {4}http/)
  assert.equal(slots.readRecord().active, 'factory')
})

test('a version that fails with all of its files as they were is left to the system', async (t) => {
  const { slots, start } = await setup(t)
  const files = { [ENTRY]: 'process.exit(7)', 'package.json': '{}' }
  await installProven(slots, KEY, { version: '1.0.0', files })
  const launcher = start()
  assert.deepEqual(await launcher.ended, { code: 7, signal: null })
  assert.equal(slots.readRecord().active, 'a')
})
