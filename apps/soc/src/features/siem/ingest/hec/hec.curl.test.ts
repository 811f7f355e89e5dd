import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { keyWith, logsOf } from '../../../../testing/log-sender.ts'
import { startTestSoc } from '../../../../testing/test-soc.ts'

test('POST /services/collector/event with curl, as the documentation of HEC has it', async (t) => {
  const soc = await startTestSoc(t)
  const key = await keyWith(soc, 'siem:ingest')
  const address = await soc.http.listen({ host: '127.0.0.1', port: 0 })
  const event = { event: 'hello world', sourcetype: 'manual', host: 'web9' }
  const { stdout } = await promisify(execFile)('curl', [
    '--silent',
    `${address}/services/collector/event`,
    '-H',
    `Authorization: Splunk ${key}`,
    '-d',
    JSON.stringify(event),
  ])
  assert.deepEqual(JSON.parse(stdout), { text: 'Success', code: 0 })
  const [log] = await logsOf(soc)
  assert.partialDeepStrictEqual(log, { message: 'hello world', host: 'web9', source: 'manual' })
})
