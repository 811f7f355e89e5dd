import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { logsOf } from '../../../../testing/log-sender.ts'
import { startTestSoc, type TestSoc } from '../../../../testing/test-soc.ts'
import { until } from '../../../../testing/until.ts'

const run = promisify(execFile)
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
  const { udp, tcp } = await soc.listenSyslog()
  return { soc, udp: String(udp?.port), tcp: String(tcp?.port) }
}

async function logged(soc: TestSoc, count: number, query = '') {
  await until(`${count} events`, async () => (await logsOf(soc, query)).length >= count)
  return logsOf(soc, query)
}

const LOGGER: [how: string, to: 'udp' | 'tcp', options: string[]][] = [
  ['RFC 5424 over UDP', 'udp', ['--udp', '--rfc5424']],
  ['RFC 3164 over UDP', 'udp', ['--udp', '--rfc3164']],
  ['RFC 5424 over TCP, a newline after each', 'tcp', ['--tcp', '--rfc5424']],
  ['RFC 5424 over TCP, the length before each', 'tcp', ['--tcp', '--rfc5424', '--octet-count']],
  ['RFC 3164 over TCP', 'tcp', ['--tcp', '--rfc3164']],
]

test('syslog from logger(1)', async (t) => {
  const { soc, udp, tcp } = await listening(t)
  const port = { udp, tcp }
  for (const [how, to, options] of LOGGER) {
    await t.test(how, async () => {
      const text = `Failed password for ${to}${options.length} from 192.0.2.7 port 22 ssh2: ${how} ✓`
      const where = [
        '--server',
        '127.0.0.1',
        '--port',
        port[to],
        '--tag',
        'sshd',
        '--priority',
        'auth.err',
      ]
      await run('logger', [...options, ...where, '--', text])
      const [log] = await logged(soc, 1, `q=${encodeURIComponent(`"${how}"`)}`)
      assert.partialDeepStrictEqual(log, {
        message: text,
        process: 'sshd',
        severity: 'high',
        source: 'auth',
        src_ip: '192.0.2.7',
        user: `${to}${options.length}`,
        fields: { syslog: { facility: 'auth', severity: 'err', peer: '127.0.0.1' } },
      })
      assert.ok(log?.host)
      assert.ok(Math.abs(Date.parse(log?.timestamp ?? '') - Date.now()) < 60_000)
    })
  }
  await t.test('structured data are fields', async () => {
    const data = ['--sd-id', 'shop@32473', '--sd-param', 'order="4711"', '--msgid', 'PAID']
    await run('logger', [
      '--tcp',
      '--rfc5424',
      '--server',
      '127.0.0.1',
      '--port',
      tcp,
      ...data,
      'x',
    ])
    const [log] = await logged(soc, 1, 'q=event_code:PAID')
    assert.deepEqual(log?.fields['shop@32473'], { order: '4711' })
  })
})
