import assert from 'node:assert/strict'
import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { mainOf, processFixture } from '@manara/kit/testing/service-process'
import { ADMIN_PASSWORD } from './testing/test-soc.ts'
import { until } from './testing/until.ts'

const MAIN = mainOf('soc')

test('everything below SOC_DATA is for its owner alone: files 0600, folders 0700', async (t) => {
  let data = ''
  const { start } = processFixture(t, MAIN, (folder) => {
    data = path.join(folder, 'data')
    return {
      ...{ SOC_PORT: '0', SOC_DATA: data, SOC_ADMIN_PASSWORD: ADMIN_PASSWORD },
      SOC_WARM_UP: 'off',
      SOC_STARTER_RULES: 'off',
    }
  })
  const [, address] = await start().printed(/^soc +(http\S+)/m)
  let token = ''
  const post = async (url: string, body: unknown) => {
    const reply = await fetch(`${address}/api/v1${url}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    })
    assert.ok(reply.ok, `${url}: ${reply.status}`)
    return (await reply.json()) as { access_token: string; id: string }
  }
  const credentials = { username: 'admin', password: ADMIN_PASSWORD }
  token = (await post('/auth/token', credentials)).access_token
  await post('/siem/logs', [{ message: 'kept in a file' }])
  const { id } = await post('/cases', { title: 'With evidence', severity: 'low' })
  const evidence = { name: 'disk', evidence_type: 'image', sha256: 'ab'.repeat(32) }
  await post(`/cases/${id}/evidence`, evidence)
  await until('the ends of the chains are signed', () =>
    existsSync(path.join(data, 'anchors', 'heads.ndjson')),
  )

  const all = readdirSync(data, { recursive: true, withFileTypes: true })
  const open = [
    ...(statSync(data).mode & 0o077 ? ['.'] : []),
    ...all
      .filter((entry) => entry.isFile() || entry.isDirectory())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .filter((name) => (statSync(name, { throwIfNoEntry: false })?.mode ?? 0) & 0o077),
  ]
  assert.deepEqual(open, [])
  const names = all.map(({ name }) => name)
  for (const name of ['service.key', 'heads.ndjson', 'public-keys.pem', 'postgresql.conf', 'logs'])
    assert.ok(names.includes(name), `${name} was looked at: ${names.slice(0, 50)}`)
})
