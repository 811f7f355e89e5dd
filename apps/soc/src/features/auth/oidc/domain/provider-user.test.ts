import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOwnPath, roleOf, usedSecondFactor, usernameOf } from './provider-user.ts'

test('the first group of the setting that somebody is in gives the role', () => {
  const roles = [
    { group: 'soc-admins', role: 'admin' },
    { group: 'soc', role: 'analyst' },
  ] as const
  const mapping = { roles: [...roles], defaultRole: undefined }
  assert.equal(roleOf(['soc', 'soc-admins'], mapping), 'admin')
  assert.equal(roleOf(['soc'], mapping), 'analyst')
  assert.equal(roleOf(['SOC-ADMINS', 'kitchen'], mapping), undefined)
  assert.equal(roleOf([], { ...mapping, defaultRole: 'viewer' }), 'viewer')
})

test('names are made of what is allowed here', () => {
  const account = { preferredName: undefined, email: undefined, subject: 'a|7' }
  assert.equal(usernameOf({ ...account, preferredName: 'leila' }), 'leila')
  assert.equal(usernameOf({ ...account, email: 'l@x.org' }), 'l@x.org')
  assert.equal(usernameOf({ ...account, preferredName: 'Léïla Haddad' }), 'LeilaHaddad')
  assert.equal(usernameOf(account), 'a7')
  for (const preferredName of ['system', 'Anonymous', 'me']) {
    assert.equal(usernameOf({ ...account, preferredName }), 'user-617c37')
  }
  assert.equal(usernameOf({ ...account, preferredName: 'ليلى' }), 'user-617c37')
})

test('only a path of this service is gone back to', () => {
  for (const path of ['/', '/cases/7?tab=notes#x', '/api/v1/docs']) assert.ok(isOwnPath(path), path)
  const foreign = ['//evil.test', '/\\evil.test', '\\\\evil.test', 'https://evil.test', 'evil', '']
  for (const path of [...foreign, '/\t/evil.test', '/a\nb', 'javascript:alert(1)']) {
    assert.ok(!isOwnPath(path), path)
  }
})

test('a password alone is no second factor', () => {
  assert.ok(!usedSecondFactor(['pwd']))
  assert.ok(!usedSecondFactor([]))
  assert.ok(usedSecondFactor(['pwd', 'otp']))
})
