import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedFields, describeChange } from './field-changes.ts'

const before = {
  title: 'Beacon',
  severity: 'high',
  status: 'open',
  description: null,
  assignee: null,
  requires_human_approval: false,
  access: { mode: 'team', users: [], roles: [] },
  tlp: 'green',
}

test('only what differs is a change', () =>
  assert.deepEqual(changedFields(before, { status: 'open', severity: 'low' }), [
    { name: 'severity', before: 'high', after: 'low' },
  ]))

const SPOKEN: [Parameters<typeof changedFields>[1], string[]][] = [
  [{ status: 'investigating' }, ['status open → investigating']],
  [{ assignee: 'kim@example.org' }, ['assignee none → kim@example.org']],
  [{ requires_human_approval: true }, ['requires_human_approval false → true']],
  [{ description: 'Long story' }, ['description changed']],
  [{ title: 'Beacon' }, []],
]
for (const [asked, said] of SPOKEN) {
  test(`${JSON.stringify(asked)} is told as ${JSON.stringify(said)}`, () =>
    assert.deepEqual(changedFields(before, asked).map(describeChange), said))
}
