import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { keyWith, logsOf } from '../../../../testing/log-sender.ts'
import { startTestSoc, type TestSoc } from '../../../../testing/test-soc.ts'
import { until } from '../../../../testing/until.ts'

const linesOf = (how: string) => [
  `Accepted password for ann from 192.0.2.7 port 22 ssh2 by ${how}`,
  `Failed password for "bob" from 192.0.2.8 port 22 ssh2 \\ ✓ by ${how}`,
]

/** The daemon of most Linux machines, reading a file and sending what it reads by `action`. */
function startRsyslog(t: TestContext, lines: string[], action: string) {
  const folder = mkdtempSync(path.join(tmpdir(), 'rsyslog-'))
  writeFileSync(path.join(folder, 'in.log'), `${lines.join('\n')}\n`)
  writeFileSync(
    path.join(folder, 'rsyslog.conf'),
    `global(workDirectory="${folder}")
module(load="imfile")
input(type="imfile" file="${folder}/in.log" tag="sshd[77]:" facility="auth" severity="notice")
${action}
`,
  )
  const daemon = spawn(
    'rsyslogd',
    ['-n', '-f', `${folder}/rsyslog.conf`, '-i', `${folder}/rsyslog.pid`],
    { stdio: 'ignore', env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` } },
  )
  t.after(async () => {
    const ended = once(daemon, 'exit')
    daemon.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
}

async function arrived(soc: TestSoc, how: string) {
  const query = `q=${encodeURIComponent(`"by ${how}"`)}`
  await until('both lines', async () => (await logsOf(soc, query)).length === 2)
  return (await logsOf(soc, query)).toSorted((a, b) => a.message.localeCompare(b.message))
}

const HERE = { host: '127.0.0.1', port: 0 }
const FORWARD: [how: string, to: 'udp' | 'tcp', options: string][] = [
  [
    'octet counting',
    'tcp',
    'TCP_Framing="octet-counted" template="RSYSLOG_SyslogProtocol23Format"',
  ],
  ['newlines', 'tcp', 'template="RSYSLOG_ForwardFormat"'],
  ['datagrams', 'udp', 'template="RSYSLOG_TraditionalForwardFormat"'],
]
const DOCUMENT = `template(name="document" type="list" option.jsonf="on") {
  property(outname="@timestamp" name="timereported" dateFormat="rfc3339" format="jsonf")
  property(outname="host" name="hostname" format="jsonf")
  property(outname="syslogseverity-text" name="syslogseverity-text" format="jsonf")
  property(outname="programname" name="programname" format="jsonf")
  property(outname="message" name="msg" format="jsonf")
}`

test('logs from rsyslog', async (t) => {
  const soc = await startTestSoc(t, {
    ingest: {
      eventsPerMinute: 1_000_000,
      syslogUdp: HERE,
      syslogTcp: HERE,
      mostSyslogBytes: 8_192,
    },
  })
  const ports = await soc.listenSyslog()
  const key = await keyWith(soc, 'siem:ingest')
  const { port } = new URL(await soc.http.listen(HERE))

  for (const [how, to, options] of FORWARD) {
    await t.test(`omfwd, ${how} over ${to}`, async (t) => {
      const where = `target="127.0.0.1" port="${ports[to]?.port}" protocol="${to}"`
      startRsyslog(t, linesOf(how), `action(type="omfwd" ${where} ${options})`)
      const logs = await arrived(soc, how)
      assert.deepEqual(
        logs.map(({ message }) => message),
        linesOf(how),
      )
      assert.partialDeepStrictEqual(logs[0], {
        source: 'auth',
        process: 'sshd',
        severity: 'low',
        user: 'ann',
        src_ip: '192.0.2.7',
        fields: { syslog: { facility: 'auth', procid: '77' }, event: { outcome: 'success' } },
      })
    })
  }

  await t.test('omelasticsearch in bulk mode, with a key as its password', async (t) => {
    const where = `server="127.0.0.1" serverport="${port}" uid="rsyslog" pwd="${key}"`
    startRsyslog(
      t,
      linesOf('bulk'),
      `module(load="omelasticsearch")
${DOCUMENT}
action(type="omelasticsearch" ${where} template="document" searchIndex="linux" bulkmode="on")`,
    )
    const logs = await arrived(soc, 'bulk')
    assert.deepEqual(
      logs.map(({ message }) => message),
      linesOf('bulk'),
    )
    assert.partialDeepStrictEqual(logs[0], {
      source: 'linux',
      process: 'sshd',
      severity: 'low',
      user: 'ann',
      src_ip: '192.0.2.7',
    })
  })
})
