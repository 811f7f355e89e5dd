import type { Reading } from './part.ts'

/** As forwarders send them. */
const EVENTS = 1_000

const KINDS: ((n: number, address: string) => Record<string, unknown>)[] = [
  (n, address) => ({
    ...{ source: 'linux', [n % 2 ? 'program' : 'process']: 'sshd', src_ip: address },
    user: `user${n % 97}`,
    message: oneOf(n, [
      `Failed password for user${n % 97} from ${address} port ${1_024 + n} ssh2`,
      `sshd[${n}]: Accepted publickey for user${n % 97} from ${address} port ${1_024 + n} ssh2: ED25519 SHA256:${n.toString(36)}`,
      `pam_unix(sshd:session): session opened for user user${n % 97} by (uid=0)`,
      `Received disconnect from ${address} port ${1_024 + n}:11: disconnected by user`,
    ]),
    fields: { event_code: 'ssh_login', pid: n, facility: 'authpriv', session: n.toString(16) },
  }),
  (n, address) => ({
    ...{ source: 'windows', event_code: oneOf(n, ['4688', '4624']), user: `user${n % 97}` },
    process: oneOf(n, ['svchost.exe', 'lsass.exe']),
    message: oneOf(n, [
      `A new process has been created: C:\\Windows\\System32\\svchost.exe -k netsvcs -p ${n}`,
      `An account was successfully logged on. Logon Type: 3 Account Name: user${n % 97} Source Network Address: ${address} Port: ${1_024 + n}`,
    ]),
    fields: oneOf<object>(n, [
      { ProcessId: n, ParentProcessName: 'services.exe', IpAddress: address },
      { LogonType: 3, LogonId: `0x${n.toString(16)}`, AuthenticationPackageName: 'Kerberos' },
    ]),
  }),
  (n, address) => ({
    ...{ source: 'firewall', action: 'deny', src_ip: address, dst_ip: '192.0.2.9' },
    message: oneOf(n, [
      `%ASA-4-106023: Deny tcp src outside:${address}/${1_024 + n} dst inside:192.0.2.9/443`,
      `%ASA-6-106100: access-list OUTSIDE permitted udp outside/${address}(${1_024 + n}) -> inside/192.0.2.9(53) hit-cnt ${n} first hit [0x${n.toString(16)}, 0x0]`,
      `%ASA-6-302013: Built inbound TCP connection ${n} for outside:${address}/${1_024 + n} (${address}/${1_024 + n}) to inside:192.0.2.9/443 (192.0.2.9/443)`,
    ]),
    fields: oneOf<object>(n, [
      { bytes: n * 3, protocol: 'tcp', rule: `block-${n % 11}` },
      { bytes_in: n, bytes_out: n * 7, proto: 'udp', dst_port: 53 },
    ]),
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

const SEVERITIES = ['info', 'low', 'medium', 'high', 'critical']

/** Each in its turn, whatever else `n` decides. */
function oneOf<T>(n: number, list: [T, ...T[]]): T {
  return list[Math.floor(n / 14) % list.length] as T
}

/** Every second one as our own exports and most pipelines send them: all columns by name, and an id. */
const columns = (n: number) =>
  n % 2 === 0
    ? {}
    : {
        id: `sample-${n.toString(16).padStart(12, '0')}`,
        severity: SEVERITIES[n % SEVERITIES.length],
        ...{ user: `user${n % 97}`, process: null, event_code: null, dst_ip: '192.0.2.9' },
        src_ip: null,
      }

/** Events of the kinds that most senders have; in every round others. */
export function sampleReading(now: number, round = 0): Reading {
  const timestamp = new Date(now).toISOString()
  const lines = Array.from({ length: EVENTS }, (_, place) => {
    const n = round * EVENTS + place
    const kind = KINDS[n % KINDS.length]
    const address = `198.51.100.${n % 250}`
    const time = { timestamp }
    return JSON.stringify({
      ...columns(n),
      ...(n % 4 < 2 ? time : {}),
      host: `host-${n % 50}`,
      ...kind?.(n, address),
      ...time,
    })
  })
  return {
    ...{ way: 'api', receivedAt: now, body: Buffer.from(lines.join('\n')) },
    format: { kind: 'native', contentType: 'application/x-ndjson' },
  }
}
