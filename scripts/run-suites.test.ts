import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { isAlone, isHeard, planGroups } from './split-suites.ts'

/** Runs each suite as a group of its own, two at the same time. */
function run(t: TestContext, suites: Record<string, string>, endingMs = 60_000) {
  const folder = mkdtempSync(path.join(tmpdir(), 'suites-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const groups = Object.entries(suites).map(([name, body]) => {
    const file = path.join(folder, name)
    writeFileSync(file, `import { test } from 'node:test'\n${body}`)
    return [file]
  })
  const runner = new URL('./run-suites.ts', import.meta.url)
  const script = `import { runSuites } from '${runner}'
    process.exitCode = await runSuites(${JSON.stringify(groups)}, 2, [], ${endingMs})`
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  return spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    env,
  })
}

test('groups run in their lanes, each of them once, and end in one summary', (t) => {
  const { status, stdout } = run(t, {
    'a.test.ts': "test('one', () => {})\ntest('two', () => {})",
    'b.test.ts': "test('three', () => {})\ntest.skip('four', () => {})",
    'c.test.ts': "test('five', () => {})",
  })
  assert.equal(status, 0)
  for (const name of ['one', 'two', 'three', 'five']) assert.match(stdout, new RegExp(`✔ ${name} `))
  assert.match(stdout, /ℹ tests 5\nℹ suites 0\nℹ pass 4\nℹ fail 0\nℹ cancelled 0\nℹ skipped 1\n/)
  assert.equal(stdout.match(/ℹ tests/g)?.length, 1)
})

test('a failure in any group fails the run, and is told once more at the end', (t) => {
  const { status, stdout } = run(t, {
    'a.test.ts': "test('fine', () => {})",
    'b.test.ts': "test('broken', () => { throw new Error('as planted') })",
  })
  assert.equal(status, 1)
  assert.match(stdout, /ℹ tests 2\n[\s\S]*ℹ pass 1\nℹ fail 1\n/)
  assert.match(stdout, /✖ failing tests:[\s\S]*✖ broken[\s\S]*as planted/)
})

test('a suite that cannot be loaded fails the run', (t) => {
  assert.equal(run(t, { 'a.test.ts': "import './nothing.ts'" }).status, 1)
})

test('a suite that throws behind its first test fails the run', (t) => {
  const { status, stderr } = run(t, {
    'a.test.ts': "test('fine', () => {})\nthrow new Error('as planted')",
  })
  assert.equal(status, 1)
  assert.match(stderr, /not read to their ends.*a\.test\.ts/)
})

test('a process that does not end after it has told all is ended, and what it told counts', (t) => {
  const stays = 'process.exit = () => {}; setInterval(() => {}, 1_000)\n'
  const fine = run(t, { 'a.test.ts': `${stays}test('fine', () => {})` }, 1_000)
  assert.equal(fine.status, 0)
  assert.match(fine.stdout, /ℹ pass 1\nℹ fail 0\n/)
  const broken = { 'a.test.ts': `${stays}test('broken', () => { throw new Error() })` }
  assert.equal(run(t, broken, 1_000).status, 1)
})

test('few files make a group for each lane, and the same files make the same groups', () => {
  const files = Array.from({ length: 7 }, (_, n) => `packages/x/${n}.test.ts`)
  const groups = planGroups(files, 2)
  assert.deepEqual(groups.flat().sort(), files)
  assert.deepEqual(
    groups.map(({ length }) => length),
    [3, 2, 2],
  )
  assert.deepEqual(planGroups(files.toReversed(), 2), groups)
  assert.deepEqual(planGroups(['one.test.ts'], 4), [['one.test.ts']])
})

test('many files make long groups first and short ones last, and each suite of pages is one of its own', () => {
  const files = Array.from({ length: 960 }, (_, n) => `packages/x/${n}.test.ts`)
  const pages = ['apps/a-web/src/flows/b.test.ts', 'apps/a-web/src/flows/c.test.ts']
  const groups = planGroups([...files, ...pages], 2)
  assert.deepEqual(
    groups.map(({ length }) => length),
    [160, 160, 160, 80, 80, 80, 40, 40, 40, 40, 40, 40, 1, 1],
  )
  assert.deepEqual(groups.slice(-2).flat(), pages)
})

test('sound has a group of its own, which goes before the others', () => {
  const sound = 'apps/player/src/adapters/embedded-audio.test.ts'
  const groups = planGroups(['a.test.ts', sound, 'b.test.ts'], 2)
  assert.deepEqual(groups.filter(isHeard), [[sound]])
})

test('hooks of a file, which are those of all files in its process, stand where it runs alone', () => {
  const cwd = fileURLToPath(new URL('..', import.meta.url))
  const files = globSync('{apps,packages}/*/src/**/*.test.ts', { cwd })
  assert.ok(files.length > 100)
  const shared = files.filter((file) => !isAlone(file) && !isHeard([file]))
  const hook = /^(before|beforeEach|afterEach)\(|^(const|let) .*await start/m
  assert.deepEqual(
    shared.filter((file) => hook.test(readFileSync(path.join(cwd, file), 'utf8'))),
    [],
  )
})
