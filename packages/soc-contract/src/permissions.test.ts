import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { PERMISSIONS, permissionsOf, type Role } from './permissions.ts'
import { permissionsPage } from './permissions-page.ts'

const beyond = (role: Role, base: Role) =>
  [...permissionsOf(role)].filter((permission) => !permissionsOf(base).has(permission))

test('viewer has every :read but the audit log and the metrics', () => {
  const reads = PERMISSIONS.filter((name) => name.endsWith(':read'))
  assert.deepEqual(
    [...permissionsOf('viewer')],
    reads.filter((name) => name !== 'audit:read' && name !== 'metrics:read'),
  )
})

test('each role adds to the one before it what was decided', () => {
  assert.deepEqual(beyond('analyst', 'viewer').sort(), [
    'alerts:write',
    'cases:write',
    'investigation:trigger',
    'iocs:write',
    'playbooks:execute',
    'siem:search',
  ])
  assert.deepEqual(beyond('detection_engineer', 'analyst').sort(), [
    'detections:write',
    'siem:manage',
  ])
  assert.deepEqual(beyond('responder', 'analyst').sort(), [
    'cps:manage',
    'edr:manage',
    'soar:execute',
  ])
  assert.deepEqual(beyond('manager', 'responder').sort(), [
    'agents:manage',
    'approvals:manage',
    'cases:delete',
    'detections:write',
    'siem:manage',
    'sites:manage',
    'soar:manage',
  ])
  assert.deepEqual(beyond('auditor', 'viewer'), ['audit:read'])
  assert.deepEqual([...permissionsOf('service')], [])
  assert.deepEqual([...permissionsOf('admin')], PERMISSIONS)
})

test('docs/permissions.md is made from the table', () => {
  const page = new URL('../../../docs/permissions.md', import.meta.url)
  if (process.env.UPDATE_DOCS) writeFileSync(page, permissionsPage())
  const how = 'run: UPDATE_DOCS=1 node --test packages/soc-contract/src/permissions.test.ts'
  assert.equal(readFileSync(page, 'utf8'), permissionsPage(), how)
})
