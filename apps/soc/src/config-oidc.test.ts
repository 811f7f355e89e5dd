import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from './config.ts'

const whole = {
  SOC_PUBLIC_URL: 'https://soc.example',
  SOC_OIDC_ISSUER: 'https://id.example',
  SOC_OIDC_CLIENT_ID: 'soc',
  SOC_OIDC_ROLES: 'soc-admins=admin, soc=analyst',
}

test('groups are given roles in the order of the setting', () => {
  assert.deepEqual(readConfig(whole).oidc?.mapping.roles, [
    { group: 'soc-admins', role: 'admin' },
    { group: 'soc', role: 'analyst' },
  ])
  const named = readConfig({ ...whole, SOC_OIDC_ROLES: 'cn=soc,ou=groups=analyst; x=viewer' })
  assert.deepEqual(named.oidc?.mapping.roles[0], { group: 'cn=soc,ou=groups', role: 'analyst' })
  assert.equal(readConfig({}).oidc, undefined)
})

test('half a setting, an unsafe issuer or an unknown role stops the start', () => {
  const cases: [object, RegExp][] = [
    [{ SOC_OIDC_CLIENT_ID: '' }, /^SOC_OIDC_CLIENT_ID: must be set too/],
    [{ SOC_PUBLIC_URL: '' }, /^SOC_PUBLIC_URL: must be set too/],
    [{ SOC_OIDC_ISSUER: 'http://id.example' }, /^SOC_OIDC_ISSUER: must be https/],
    [{ SOC_OIDC_ROLES: '' }, /^SOC_OIDC_ROLES: must be set too/],
    [{ SOC_OIDC_ROLES: 'soc' }, /^SOC_OIDC_ROLES: "soc" is not group=role/],
    [{ SOC_OIDC_ROLES: 'soc=emperor' }, /^SOC_OIDC_ROLES: "emperor" is no role/],
    [{ SOC_OIDC_ROLES: 'soc=service' }, /^SOC_OIDC_ROLES: "service" is no role/],
    [{ SOC_OIDC_SCOPES: 'profile' }, /^SOC_OIDC_SCOPES: must have openid/],
  ]
  for (const [wrong, message] of cases) {
    assert.throws(() => readConfig({ ...whole, ...wrong }), { name: 'StartError', message })
  }
})
