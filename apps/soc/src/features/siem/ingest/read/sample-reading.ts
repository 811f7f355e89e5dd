import type { Reading } from './part.ts'

/** What V8 needs to see of an event before it compiles well what reads it. */
const EVENTS = 4_000

const KINDS: ((n: number, address: string) => Record<string, unknown>)[] = [
  (n, address) => ({
    ...{ source: 'linux', program: 'sshd', src_ip: address, user: `user${n % 97}` },
    message: `${n % 3 === 0 ? 'Failed password' : 'Accepted publickey'} for user${n % 97} from ${address} port ${1_024 + n} ssh2`,
    fields: { event_code: 'ssh_login', port: 1_024 + n, auth_method: 'publickey' },
  }),
  (n, address) => ({
    ...{ source: 'windows', event_code: '4688', process: 'svchost.exe', user: `user${n % 97}` },
    message: `A new process has been created: C:\\Windows\\System32\\svchost.exe -k netsvcs -p ${n}`,
    fields: { ProcessId: n, ParentProcessName: 'services.exe', IpAddress: address },
  }),
  (n, address) => ({
    ...{ source: 'firewall', action: 'deny', src_ip: address, dst_ip: '192.0.2.9' },
    message:
      n % 3 === 0
        ? `%ASA-4-106023: Deny tcp src outside:${address}/${1_024 + n} dst inside:192.0.2.9/443`
        : `%ASA-6-106100: access-list OUTSIDE permitted tcp outside/${address}(${1_024 + n}) -> inside/192.0.2.9(443) hit-cnt ${n} first hit [0x${n.toString(16)}, 0x0]`,
    fields: { bytes: n * 3, protocol: 'tcp', rule: `block-${n % 11}` },
  }),
  (n, address) => ({
    ...{ source: 'web', src_ip: address },
    message: `${address} - - "GET /items/${n}?page=2 HTTP/1.1" 200 ${n + 512} "-" "Mozilla/5.0"`,
  }),
  (n, address) => ({
    ...{ source: 'dns', program: 'named', src_ip: address },
    message: `client @0x7f${n.toString(16)} ${address}#${1_024 + n} (www.example.org): query: www.example.org IN A +E(0)K (192.0.2.53)`,
    fields: { qtype: 'A', ttl: n % 3_600 },
  }),
  (n, address) => ({
    source: 'gateway',
    message: `date=2026-01-01 devname="gate-${n % 9}" type="traffic" srcip=${address} srcport=${1_024 + n} dstip=192.0.2.9 dstport=443 action="accept" sentbyte=${n * 7}`,
  }),
  (n, address) => ({
    ...{ source: 'endpoint', event: { kind: 'process', code: n % 40, hash: { sha256: `${n}` } } },
    message: `CEF:0|Example|Endpoint|1.0|${n % 40}|process started|5|src=${address} suser=user${n % 97} cs1=cmd.exe /c whoami`,
  }),
]

const SEVERITIES = ['info', 'low', 'medium', 'high']

/** Every second one as our own exports and most pipelines send them: all columns by name, and an id. */
const columns = (n: number) =>
  n % 2 === 0
    ? {}
    : {
        id: `sample-${n.toString(16).padStart(12, '0')}`,
        severity: SEVERITIES[n % SEVERITIES.length],
        ...{ user: `user${n % 97}`, process: null, event_code: null, dst_ip: '192.0.2.9' },
      }

/** Events of the kinds that most senders have, which are read and thrown away. */
export function sampleReading(now: number): Reading {
  const timestamp = new Date(now).toISOString()
  const lines = Array.from({ length: EVENTS }, (_, n) => {
    const kind = KINDS[n % KINDS.length]
    const address = `198.51.100.${n % 250}`
    return JSON.stringify({
      ...columns(n),
      timestamp,
      host: `host-${n % 50}`,
      ...kind?.(n, address),
    })
  })
  return {
    ...{ way: 'api', receivedAt: now, body: Buffer.from(lines.join('\n')) },
    format: { kind: 'native', contentType: 'application/x-ndjson' },
  }
}
