import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { logsOf } from '../../../../testing/log-sender.ts'
import { startTestSoc, type TestSoc } from '../../../../testing/test-soc.ts'
import { until } from '../../../../testing/until.ts'

const HERE = { host: '127.0.0.1', port: 0 }

async function listening(t: Parameters<typeof startTestSoc>[0]) {
  const soc = await startTestSoc(t, {
    ingest: {
      eventsPerMinute: 1_000_000,
      syslogUdp: HERE,
      syslogTcp: HERE,
      mostSyslogBytes: 2_048,
    },
  })
  const { tcp } = await soc.listenSyslog()
  return { soc, tcp: tcp?.port ?? 0 }
}

async function logged(soc: TestSoc, count: number, query = '') {
  await until(`${count} events`, async () => (await logsOf(soc, query)).length >= count)
  return logsOf(soc, query)
}

test('a stream that mixes framings, cuts messages anywhere and ends without a newline', async (t) => {
  const { soc, tcp } = await listening(t)
  const socket = connect(tcp, '127.0.0.1')
  const stream = `<13>one\n7 <13>two<13>thr\0<13>${'x'.repeat(5_000)}\n<13>last`
  for (let at = 0; at < stream.length; at += 7) socket.write(stream.slice(at, at + 7))
  socket.end()
  const logs = await logged(soc, 5)
  const lengths = logs.map(({ message }) => message).toSorted((a, b) => a.length - b.length)
  assert.deepEqual(lengths.slice(0, 4).toSorted(), ['last', 'one', 'thr', 'two'])
  assert.equal(lengths[4]?.length, 2_048 - '<13>'.length)
})

test('a line without any header is kept as it is, with where it came from', async (t) => {
  const { soc, tcp } = await listening(t)
  const socket = connect(tcp, '127.0.0.1')
  socket.end('just words\n{"msg":"json","a":1}\n')
  const logs = await logged(soc, 2)
  const words = logs.find(({ message }) => message === 'just words')
  assert.partialDeepStrictEqual(words, { host: '127.0.0.1', source: 'syslog', severity: 'info' })
  assert.equal(logs.find(({ message }) => message === 'json')?.fields.a, 1)
})

test('in dummy mode nothing listens', async (t) => {
  const soc = await startTestSoc(t, {
    mode: 'dummy',
    ingest: { eventsPerMinute: 1, syslogUdp: HERE, syslogTcp: HERE, mostSyslogBytes: 1_000 },
  })
  assert.deepEqual(await soc.listenSyslog(), {
    udp: undefined,
    tcp: undefined,
    tls: undefined,
  })
})
