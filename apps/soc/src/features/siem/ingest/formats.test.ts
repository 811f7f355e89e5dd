import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { connect } from 'node:net'
import { test } from 'node:test'
import type { Log } from '@manara/soc-contract/siem'
import { keyWith, logsOf } from '../../../testing/log-sender.ts'
import { startTestSoc, type TestSoc } from '../../../testing/test-soc.ts'
import { until } from '../../../testing/until.ts'
import { CATALOGUE } from '../normalise/catalogue/catalogue.ts'
import type { Sample } from '../normalise/catalogue/log-format.ts'
import { flatten } from '../normalise/fields.ts'
import { PARSER } from '../normalise/parsed.ts'

const HERE = { host: '127.0.0.1', port: 0 }
const SAMPLES = CATALOGUE.flatMap(({ samples }) => samples)
const isLine = ({ event }: Sample): boolean => typeof event === 'string'
const isSyslog = ({ event }: Sample): boolean => typeof event === 'string' && /^<\d+>/.test(event)

test('every format of the catalogue is read on its way in: by syslog, as lines, in bulk', async (t) => {
  const soc = await startTestSoc(t, {
    ingest: {
      eventsPerMinute: 1_000_000,
      syslogUdp: HERE,
      syslogTcp: HERE,
      mostSyslogBytes: 64 * 1024,
    },
  })
  const key = await keyWith(soc, 'siem:ingest')
  const headers = { 'x-api-key': key }
  const { tcp, udp } = await soc.listenSyslog()

  const syslog = SAMPLES.filter(isSyslog).map(({ event }) => String(event))
  connect(tcp?.port ?? 0, '127.0.0.1').end(`${syslog.join('\n')}\n`)

  // Lines of files, with the program where a shipper says it; some have several lines in one event.
  const lines = SAMPLES.filter((sample) => isLine(sample) && !isSyslog(sample))
  const taken = await soc.call('POST', '/siem/logs', {
    headers,
    body: lines.map(({ event, program }) => ({
      message: event,
      ...(program ? { process: program } : {}),
    })),
  })
  assert.partialDeepStrictEqual(taken, {
    status: 200,
    body: { accepted: lines.length, rejected: 0 },
  })

  const objects = SAMPLES.filter((sample) => !isLine(sample))
  const bulk = await soc.http.inject({
    method: 'POST',
    url: '/_bulk',
    headers: { authorization: `ApiKey ${key}` },
    payload: objects.map(({ event }) => `{"create":{}}\n${JSON.stringify(event)}\n`).join(''),
  })
  assert.equal(bulk.json().errors, false)

  await until('every event stored', async () => (await storedLogs(soc)).length >= SAMPLES.length)
  const logs = await storedLogs(soc)
  for (const { id, samples } of CATALOGUE) {
    const read = logs.filter(({ fields }) => fields[PARSER] === id)
    for (const { event, expect } of samples) {
      const { at: _, host: __, source: ___, ...columns } = expect
      const isThere = read.some((log) => isPart(log, columns))
      assert.ok(isThere, `${id}: ${JSON.stringify(event).slice(0, 120)}`)
    }
  }
  await readsDatagrams(soc, udp?.port ?? 0)
})

/** Datagrams may be lost, so one is sent until it has come. */
async function readsDatagrams(soc: TestSoc, port: number) {
  const socket = createSocket('udp4')
  const line =
    '<164>Mar  3 2026 10:00:00 edge7 : %ASA-4-106023: Deny tcp src a:192.0.2.7/41000 dst b:198.51.100.2/22'
  await until('a datagram', async () => {
    await new Promise((sent) => socket.send(line, port, '127.0.0.1', sent))
    return (await logsOf(soc, 'host=edge7')).length > 0
  })
  socket.close()
  const [log] = await logsOf(soc, 'host=edge7')
  assert.partialDeepStrictEqual(log, {
    source: 'cisco_asa',
    src_ip: '192.0.2.7',
    event_code: '106023',
  })
}

/** All that is stored, with the fields under their paths. */
async function storedLogs(soc: TestSoc) {
  const logs: Log[] = []
  for (;;) {
    const page = await logsOf(soc, `skip=${logs.length}`)
    logs.push(...page)
    if (page.length === 0) break
  }
  return logs.map((log) => ({ ...log, fields: flatten(log.fields).fields }))
}

/** Whether one holds all that the other says. */
function isPart(log: object, columns: object): boolean {
  try {
    assert.partialDeepStrictEqual(log, columns)
    return true
  } catch {
    return false
  }
}
