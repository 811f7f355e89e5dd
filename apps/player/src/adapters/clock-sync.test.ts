import assert from 'node:assert/strict'
import { utimesSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { fakeTree } from '../testing/fake-tree.ts'
import { createSyncEvidence } from './clock-sync.ts'
import { createRunCommand, type RunCommand } from './run-command.ts'

/** Programs that are there, and what they print; all others are missing. */
const programs =
  (found: Record<string, string>): RunCommand =>
  async (command) => {
    const stdout = found[command]
    return stdout === undefined
      ? { code: undefined, stdout: '', stderr: '', isMissing: true }
      : { code: 0, stdout, stderr: '' }
  }

const CHRONY =
  'A29FC87B,162.159.200.123,4,1794709000.1,0.0001,0.0002,0.0003,-1.2,0.0,0.1,0.01,0.001,64.2,'

const CASES: [what: string, found: Record<string, string>, expected: string | undefined][] = [
  ['the kernel says synchronised', { perl: '0' }, 'kernel'],
  ['the kernel says a leap second is due, which is synchronised too', { perl: '1' }, 'kernel'],
  ['the kernel says TIME_ERROR', { perl: '5' }, undefined],
  [
    'the kernel says TIME_ERROR, whatever timedated thinks',
    { perl: '5', timedatectl: 'yes\n' },
    undefined,
  ],
  ['the call is forbidden', { perl: '-1', timedatectl: 'yes\n' }, 'kernel'],
  ['no perl, timedated says yes', { timedatectl: 'yes\n' }, 'kernel'],
  ['no perl, timedated says no', { timedatectl: 'no\n' }, undefined],
  ['chrony without rtcsync', { perl: '5', chronyc: `${CHRONY}Normal\n` }, 'chrony'],
  ['chrony that found no server', { chronyc: `${CHRONY}Not synchronised\n` }, undefined],
  ['nothing to ask', {}, undefined],
]

for (const [what, found, expected] of CASES) {
  test(`sync evidence: ${what}`, async (t) => {
    const { root } = fakeTree(t)
    assert.equal(await createSyncEvidence(root, programs(found), 'x64')(), expected)
  })
}

test('sync evidence: the mark of timesyncd is the last resort, and each sync another answer', async (t) => {
  const { root } = fakeTree(t, { 'run/systemd/timesync/synchronized': '' })
  const mark = path.join(root, 'run/systemd/timesync/synchronized')
  const evidence = createSyncEvidence(root, programs({}), 'x64')
  utimesSync(mark, 1000, 1000)
  const first = await evidence()
  utimesSync(mark, 2000, 2000)
  assert.match(first ?? '', /^timesyncd/)
  assert.notEqual(await evidence(), first)
  assert.equal(await createSyncEvidence(root, programs({ perl: '5' }), 'x64')(), undefined)
})

test('sync evidence on this machine is an answer and not an error', async (t) => {
  const { root } = fakeTree(t)
  const found = await createSyncEvidence(root, createRunCommand('/usr/bin:/bin'))()
  assert.ok(found === undefined || found === 'kernel' || found === 'chrony')
})
