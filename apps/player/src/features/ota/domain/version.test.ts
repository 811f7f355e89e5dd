import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareVersions } from './version.ts'

test('versions are ordered as semver 2.0.0 section 11 orders them', () => {
  const ordered = [
    ...['0.0.0', '0.9.10', '0.10.0', '1.0.0-1', '1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta'],
    ...['1.0.0-beta', '1.0.0-beta.2', '1.0.0-beta.11', '1.0.0-rc.1', '1.0.0', '1.0.1', '10.0.0'],
  ]
  for (const [index, version] of ordered.entries()) {
    assert.equal(compareVersions(version, version), 0, version)
    for (const later of ordered.slice(index + 1)) {
      assert.ok(compareVersions(version, later) < 0, `${version} < ${later}`)
      assert.ok(compareVersions(later, version) > 0, `${later} > ${version}`)
    }
  }
})
