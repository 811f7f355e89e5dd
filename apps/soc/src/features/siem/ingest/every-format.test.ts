import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { connect } from 'node:net'
import { test } from 'node:test'
import type { Log } from '@manara/soc-contract/siem'
import { keyWith, logsOf } from '../../../testing/log-sender.ts'
import { startTestSoc, type TestSoc } from '../../../testing/test-soc.ts'
import { until } from '../../../testing/until.ts'
import { CATALOGUE } from '../normalise/catalogue/catalogue.ts'
import { flatten } from '../normalise/fields.ts'
import { PARSER } from '../normalise/parsed.ts'

const HERE = { host: '127.0.0.1', port: 0 }
const SAMPLES = CATALOGUE.flatMap(({ id, samples }) => samples.map((sample) => ({ id, ...sample })))

/** How many stored events each format read, of all that were sent so far. */
async function countsOf(soc: TestSoc): Promise<Record<string, number>> {
  const { status, body } = await soc.call('POST', '/siem/aggregate', {
    as: await soc.signIn(),
    body: { by: ['_parser'], limit: 1_000 },
  })
  assert.equal(status, 200, JSON.stringify(body))
  return Object.fromEntries(body.rows)
}

/** A line with who wrote it, or the object as it is. */
const documentOf = ({ event, program }: (typeof SAMPLES)[number]) =>
  typeof event === 'object'
    ? withoutId(event as Record<string, unknown>)
    : { message: event, ...(program ? { process: program } : {}) }

/** Our own way in takes it for the event's: the same sample twice would be stored once. */
function withoutId(event: Record<string, unknown>) {
  const { id, ...others } = event
  return typeof id === 'string' ? others : event
}

function messageOf({ event, program }: (typeof SAMPLES)[number]): string {
  const text = typeof event === 'string' ? event : JSON.stringify(event)
  return /^<\d+>/.test(text) ? text : `<13>1 - host1 ${program ?? '-'} - - - ${text}`
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

const DATAGRAM =
  '<164>Mar  3 2026 10:00:00 edge7 : %ASA-4-106023: Deny tcp src a:192.0.2.7/41000 dst b:198.51.100.2/22'

test('every format is read alike by syslog, over HTTP and from a bulk request', async (t) => {
  const soc = await startTestSoc(t, {
    ingest: {
      eventsPerMinute: 1_000_000,
      syslogTcp: HERE,
      syslogUdp: HERE,
      mostSyslogBytes: 65_536,
    },
  })
  const key = await keyWith(soc, 'siem:ingest')
  const { tcp, udp } = await soc.listenSyslog()
  const expected = (times: number) => {
    const counts: Record<string, number> = {}
    for (const { id } of SAMPLES) counts[id] = (counts[id] ?? 0) + times
    return counts
  }

  await t.test('POST /siem/logs', async () => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const payload = JSON.stringify({ events: SAMPLES.map(documentOf) })
    const { statusCode, body } = await soc.http.inject({
      ...{ method: 'POST', url: '/api/v1/siem/logs', headers, payload },
    })
    assert.equal(statusCode, 200, body)
    assert.deepEqual(await countsOf(soc), expected(1))
  })

  await t.test('POST /_bulk', async () => {
    const lines = SAMPLES.flatMap((sample) => [{ create: {} }, documentOf(sample)])
    const payload = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`
    const headers = { authorization: `ApiKey ${key}` }
    const { body } = await soc.http.inject({ method: 'POST', url: '/_bulk', headers, payload })
    assert.equal(JSON.parse(body).errors, false)
    assert.deepEqual(await countsOf(soc), expected(2))
  })

  await t.test('syslog over TCP', async () => {
    const socket = connect(tcp?.port ?? 0, '127.0.0.1')
    for (const message of SAMPLES.map(messageOf)) {
      socket.write(`${Buffer.byteLength(message)} ${message}`)
    }
    socket.end()
    const sum = (counts: Record<string, number>) =>
      Object.values(counts).reduce((one, other) => one + other, 0)
    await until('all are stored', async () => sum(await countsOf(soc)) === 3 * SAMPLES.length)
    assert.deepEqual(await countsOf(soc), expected(3))
  })

  await t.test('what is stored of each sample is what it should become', async () => {
    const byParser = Map.groupBy(await storedLogs(soc), ({ fields }) => String(fields[PARSER]))
    for (const { id, event, expect } of SAMPLES) {
      // Who sent it and how is different by each way in.
      const { at, host: _, source: __, ...columns } = expect
      // Some say no year: theirs is the one in which they came.
      const time = at ? new Date(at).toISOString().slice(4) : ''
      const isThere = byParser
        .get(id)
        ?.some((log) => isPart(log, columns) && log.timestamp.endsWith(time))
      assert.ok(isThere, `${id}: ${JSON.stringify(event).slice(0, 200)}`)
    }
  })

  await t.test('syslog over UDP', async () => {
    const socket = createSocket('udp4')
    // Datagrams may be lost, so one is sent until it has come.
    await until('a datagram', async () => {
      await new Promise((sent) => socket.send(DATAGRAM, udp?.port ?? 0, '127.0.0.1', sent))
      return (await logsOf(soc, 'host=edge7')).length > 0
    })
    socket.close()
    const [log] = await logsOf(soc, 'host=edge7')
    assert.partialDeepStrictEqual(log, {
      ...{ source: 'cisco_asa', src_ip: '192.0.2.7', event_code: '106023' },
    })
  })
})
