import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logWith, matches, ruleWith } from './testing/sigma-fixture.ts'

const CRON = ruleWith(
  "keywords:\n    - 'REPLACE'\ncondition: keywords",
  'product: linux\n    service: cron',
)
const SSHD = ruleWith(
  "keywords:\n    - 'unexpected internal error'\ncondition: keywords",
  'product: linux\n    service: sshd',
)

test('the words of a program are looked for in what it wrote, and nowhere else', () => {
  const said = '(root) REPLACE (root)'
  assert.equal(matches(CRON, { ...logWith({}, said), process: 'crontab' }), true)
  assert.equal(matches(CRON, { ...logWith({}, said), source: 'cron' }), true)
  assert.equal(matches(CRON, logWith({ 'db.statement': 'REPLACE INTO carts' })), false)
  assert.equal(matches(CRON, { ...logWith({}, 'replaced 2 pods'), process: 'kubelet' }), false)
  const failed = 'unexpected internal error'
  assert.equal(matches(SSHD, { ...logWith({}, failed), process: 'sshd-session' }), true)
  assert.equal(matches(SSHD, logWith({}, failed)), true, 'nobody says who wrote it')
  assert.equal(matches(SSHD, { ...logWith({}, failed), process: 'shop' }), false)
})

const touched = (product: string) =>
  ruleWith(
    "selection:\n    Image|endswith: '/touch'\ncondition: selection",
    `product: ${product}\n    category: process_creation`,
  )

const MACHINES: [fields: Record<string, string>, isLinux: boolean, isMacos: boolean][] = [
  [{}, true, true],
  [{ 'host.os.type': 'linux' }, true, false],
  [{ 'host.os.family': 'debian' }, true, false],
  [{ _parser: 'linux.auditd' }, true, false],
  [{ 'host.os.type': 'macos' }, false, true],
  [{ 'host.os.platform': 'darwin' }, false, true],
  [{ 'host.os.type': 'windows' }, false, false],
  [{ Channel: 'Linux-Sysmon/Operational', EventID: '1' }, true, false],
]
for (const [fields, isLinux, isMacos] of MACHINES) {
  test(`a program that both have, on a machine of ${JSON.stringify(fields)}`, () => {
    const log = logWith({ ...fields, Image: '/usr/bin/touch' })
    assert.deepEqual(
      [matches(touched('linux'), log), matches(touched('macos'), log)],
      [isLinux, isMacos],
    )
  })
}

const SENSED: [fields: Record<string, string | string[]>, isFound: boolean][] = [
  [{ 'event.category': ['process'], 'event.type': ['start'] }, true],
  [{ 'event.category': ['process'], 'event.type': ['end'] }, false],
  // As Elastic Defend tells of a process that was soon over.
  [{ 'event.category': ['process'], 'event.type': ['start', 'end'] }, true],
  [{ 'event.category': ['network'], 'event.type': ['start'] }, false],
  [{ 'event.category': ['file'], 'event.type': ['creation'] }, false],
]
for (const [fields, isFound] of SENSED) {
  test(`a rule for processes ${isFound ? 'looks' : 'does not look'} at ${JSON.stringify(fields)}`, () => {
    const log = logWith({ ...fields, 'process.executable': '/usr/bin/touch' })
    assert.deepEqual(
      [matches(touched('linux'), log), matches(touched('macos'), log)],
      [isFound, isFound],
    )
  })
}
