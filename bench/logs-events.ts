import type { StoredLog } from '../apps/soc/src/ports/log-store.ts'

/** What the searches look for: each stands in a handful of events, spread over all days. */
export const RARE = {
  term: 'zx9beacon7731',
  address: '203.0.113.77',
  hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
}

const DAY_MS = 86_400_000
const USERS = ['alice', 'bob', 'carol', 'root', 'administrator', 'svc_backup', 'deploy', 'oracle']
const PROCESSES = ['sshd', 'lsass.exe', 'powershell.exe', 'svchost.exe', 'nginx', 'curl', 'java']
const DOMAINS = ['login.corp.example', 'cdn.static.example', 'mail.corp.example', 'api.example']

/** The same numbers every time: the engines compare on the same events. */
function createRandom(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Events over some days up to `end`, as they came in: in order of time but for one in a hundred that
 * is up to half a minute late.
 */
export function createEvents(options: { count: number; end: number; days: number; seed: number }) {
  const { count, end, days, seed } = options
  const random = createRandom(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  const one = <T>(list: T[]) => list[below(list.length)] as T
  const hex = (length: number) => {
    let text = ''
    while (text.length < length)
      text += below(2 ** 32)
        .toString(16)
        .padStart(8, '0')
    return text.slice(0, length)
  }
  const inside = () => `10.${below(32)}.${below(256)}.${1 + below(254)}`
  const outside = () => `${11 + below(180)}.${below(256)}.${below(256)}.${1 + below(254)}`
  const level = () => {
    const x = random()
    return x < 0.8
      ? 'info'
      : x < 0.92
        ? 'low'
        : x < 0.98
          ? 'medium'
          : x < 0.998
            ? 'high'
            : 'critical'
  }
  let index = 0

  function next(): StoredLog {
    const late = random() < 0.01 ? below(30_000) : 0
    const received_at = Math.floor(end - days * DAY_MS + (index * days * DAY_MS) / count)
    const at = received_at - late
    const host = `host-${String(Math.floor(2_000 * random() ** 2.2)).padStart(4, '0')}`
    const user = one(USERS) + (random() < 0.5 ? '' : below(200))
    const [near, far] = [inside(), random() < 0.4 ? outside() : inside()]
    const pid = 1_000 + below(60_000)
    const port = 1_024 + below(60_000)
    const common = {
      id: `${at.toString(16).padStart(12, '0')}-${hex(16)}`,
      at,
      host,
      severity: level(),
      user,
      src_ip: near,
      dst_ip: far,
      received_at,
      original: null,
    }
    const kinds: (() => Omit<StoredLog, keyof typeof common>)[] = [
      () => ({
        source: 'windows-security',
        process: 'lsass.exe',
        event_code: '4624',
        message: `An account was successfully logged on. Logon Type: 3 New Logon: Account Name: ${user} Domain: CORP Logon ID: 0x${hex(8)} Workstation: ${host} Source Network Address: ${near} Port: ${port}`,
        fields: { LogonType: 3, LogonId: `0x${hex(8)}`, AuthenticationPackageName: 'Kerberos' },
      }),
      () => ({
        source: 'sysmon',
        process: one(PROCESSES),
        event_code: '1',
        message: `Process Create: Image: C:\\Windows\\System32\\cmd.exe CommandLine: cmd.exe /c ${one(['whoami /all', 'net user', `start ${hex(12)}`])} User: CORP\\${user} ProcessId: ${pid} Hashes: SHA256=${hex(64)}`,
        fields: {
          ProcessGuid: `${hex(8)}-${hex(4)}-${hex(12)}`,
          ProcessId: pid,
          Integrity: 'High',
        },
      }),
      () => ({
        source: 'linux-auth',
        process: 'sshd',
        event_code: null,
        message: `sshd[${pid}]: ${random() < 0.35 ? 'Failed password' : 'Accepted publickey'} for ${user} from ${far} port ${port} ssh2: ED25519 SHA256:${hex(43)} on ${host}.corp.example`,
        fields: { facility: 'authpriv', pid, session: hex(12) },
      }),
      () => ({
        source: 'firewall',
        process: null,
        event_code: '106100',
        message: `%ASA-6-106100: access-list OUTSIDE_IN ${random() < 0.3 ? 'denied' : 'permitted'} tcp outside/${far}(${port}) -> inside/${near}(443) hit-cnt ${1 + below(30)} 300-second interval [0x${hex(8)}, 0x${hex(8)}] device fw-${below(12)}`,
        fields: { bytes_in: below(1e6), bytes_out: below(1e6), proto: 'tcp', dst_port: 443 },
      }),
      () => ({
        source: 'dns',
        process: 'named',
        event_code: null,
        message: `client @0x${hex(12)} ${near}#${port} (${one(DOMAINS)}): query: ${random() < 0.7 ? one(DOMAINS) : `${hex(12)}.example`} IN A +E(0)K (10.0.0.53) rcode NOERROR latency ${below(200)}ms view internal`,
        fields: { qtype: 'A', ttl: below(86_400), answers: below(5) },
      }),
    ]
    const event = { ...common, ...one(kinds)() }
    // Ten of each in the whole.
    const step = Math.max(1, Math.floor(count / 10))
    const place = index % step
    if (place === Math.floor(step / 4)) event.message += ` ioc=${RARE.term}`
    if (place === Math.floor(step / 3)) event.dst_ip = RARE.address
    if (place === Math.floor(step / 2)) event.fields = { ...event.fields, sha256: RARE.hash }
    index += 1
    return event
  }

  return {
    next,
    take(most: number): StoredLog[] {
      const logs: StoredLog[] = []
      while (logs.length < most && index < count) logs.push(next())
      return logs
    },
  }
}
