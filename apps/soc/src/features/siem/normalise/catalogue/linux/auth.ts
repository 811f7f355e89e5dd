import { addressOf } from '../../addresses.ts'
import type { Fields } from '../../fields.ts'
import type { Parsed, ParseText } from '../../parsed.ts'
import type { TextFormat } from '../log-format.ts'

type Line = { of: RegExp; line: RegExp; action: string; outcome?: 'success' | 'failure' }

const SSHD = /^sshd(-session|-auth)?$/
const FROM = String.raw`from (?<ip>\S+)(?: port (?<port>\d+))?`
// A name may hold anything, also ` from 192.0.2.1`: the last address is the one that sshd wrote.
const USER = `(?:(?<invalid>invalid user) )?(?<user>.*)`

/** What programs that let people in write to auth.log, by program and wording. */
const LINES: Line[] = [
  {
    of: SSHD,
    line: new RegExp(`^Accepted (?<method>\\S+) for ${USER} ${FROM}`),
    action: 'ssh_login',
    outcome: 'success',
  },
  {
    of: SSHD,
    line: new RegExp(`^Failed (?<method>\\S+) for ${USER} ${FROM}`),
    action: 'ssh_login',
    outcome: 'failure',
  },
  {
    of: SSHD,
    line: new RegExp(`^(?:error: )?maximum authentication attempts exceeded for ${USER} ${FROM}`),
    action: 'ssh_login',
    outcome: 'failure',
  },
  {
    of: SSHD,
    line: new RegExp(`^Invalid user (?<user>.*) ${FROM}`),
    action: 'ssh_invalid_user',
    outcome: 'failure',
  },
  {
    of: SSHD,
    line: /^User (?<user>\S+) from (?<ip>\S+) not allowed because/,
    action: 'ssh_login',
    outcome: 'failure',
  },
  {
    of: SSHD,
    line: /^(?:Connection (?:closed|reset) by|Disconnected from) (?:(?:authenticating|invalid) user |user )?(?:(?<user>\S*) )?(?<ip>[\d.:a-fA-F]{3,}) port (?<port>\d+)/,
    action: 'ssh_disconnect',
  },
  {
    of: SSHD,
    line: /^Received disconnect from (?<ip>[\d.:a-fA-F]+?)(?: port (?<port>\d+))?:/,
    action: 'ssh_disconnect',
  },
  {
    of: SSHD,
    line: /^input_userauth_request: invalid user (?<user>.*?) \[preauth\]$/,
    action: 'ssh_invalid_user',
    outcome: 'failure',
  },
  {
    of: SSHD,
    line: /^Did not receive identification string from (?<ip>\S+)(?: port (?<port>\d+))?/,
    action: 'ssh_probe',
  },
  {
    of: SSHD,
    line: /^reverse mapping checking getaddrinfo for \S+ \[(?<ip>[^\]]+)\]/,
    action: 'ssh_probe',
  },
  {
    of: /^su$/,
    line: /^(?:\(to (?<target>\S+)\) (?<user>\S+) on (?<tty>\S+)|Successful su for (?<target2>\S+) by (?<user2>\S+))/,
    action: 'su',
    outcome: 'success',
  },
  {
    of: /^su$/,
    line: /^FAILED (?:SU|su) (?:\(to (?<target>\S+)\) (?<user>\S+) on (?<tty>\S+)|for (?<target2>\S+) by (?<user2>\S+))/,
    action: 'su',
    outcome: 'failure',
  },
  {
    of: /^cron$/i,
    line: /^\((?<user>[^)]+)\) CMD \((?<command>.*)\)$/s,
    action: 'cron_command',
  },
  {
    of: /^useradd$/,
    line: /^new user: name=(?<target>[^,]+), UID=(?<uid>\d+), GID=(?<gid>\d+), home=(?<home>[^,]*), shell=(?<shell>[^,]*)/,
    action: 'user_added',
    outcome: 'success',
  },
  {
    of: /^(groupadd|useradd)$/,
    line: /^new group: name=(?<group>[^,]+), GID=(?<gid>\d+)/,
    action: 'group_added',
    outcome: 'success',
  },
  {
    of: /^(usermod|gpasswd)$/,
    line: /^(?:add '(?<target>[^']+)' to (?:shadow )?group '(?<group>[^']+)'|user (?<target2>\S+) added by \S+ to group (?<group2>\S+))/,
    action: 'group_member_added',
    outcome: 'success',
  },
  {
    of: /^userdel$/,
    line: /^delete user '(?<target>[^']+)'/,
    action: 'user_deleted',
    outcome: 'success',
  },
  {
    of: /^(passwd|chpasswd)$/,
    line: /^(?:pam_unix\(\S+\): )?password changed for (?<target>\S+)/,
    action: 'password_changed',
    outcome: 'success',
  },
  {
    of: /^systemd-logind$/,
    line: /^New session (?<session>\S+) of user (?<user>[^.]+)\.?$/,
    action: 'session_opened',
    outcome: 'success',
  },
]

const PROGRAMS = [
  ...['sshd', 'sshd-session', 'sshd-auth', 'sudo', 'su', 'cron', 'useradd', 'groupadd'],
  ...['usermod', 'gpasswd', 'userdel', 'passwd', 'chpasswd', 'systemd-logind'],
]
const linesOf = (program: string) => LINES.filter(({ of }) => of.test(program))
const BY_PROGRAM = new Map(PROGRAMS.map((program) => [program, linesOf(program)]))

/** Any program: `pam_unix(sshd:auth): authentication failure; … rhost=… user=…`. */
const PAM = /^pam_(?<module>\w+)\((?<service>[^:)]+):(?<type>\w+)\): (?<text>.*)$/s
const PAM_SESSION = /^session (?<what>opened|closed) for user (?<user>[^\s(]+)/
const PAM_FAILURE = /^(?:authentication failure|\d+ more authentication failures?);(?<pairs>.*)$/s
const REPEATED = /^message repeated (?<times>\d+) times: \[ ?(?<line>.*)\]$/s

/** The message after the syslog header, by the program that wrote it. */
export const parseAuth: ParseText = (text, { process }) => {
  if (!process) return undefined
  const { times, line = text } = REPEATED.exec(text)?.groups ?? {}
  const parsed =
    (process === 'sudo' ? parseSudo(line) : undefined) ?? parseLine(line, process) ?? parsePam(line)
  if (parsed && times) parsed.fields['event.count'] = Number(times)
  return parsed
}

function parseLine(text: string, process: string): Parsed | undefined {
  for (const { line, action, outcome } of BY_PROGRAM.get(process) ?? linesOf(process)) {
    const groups = line.exec(text)?.groups
    if (groups) return parsedOf(groups, action, groups.refusal ? 'failure' : outcome)
  }
  return undefined
}

const MOST_PARTS = 20
const SUDO: Record<string, string> = { TTY: 'tty', PWD: 'pwd', USER: 'target', COMMAND: 'command' }

/** `eve : TTY=pts/0 ; PWD=/ ; USER=root ; COMMAND=…`: any part may be missing, the command is the rest. */
function parseSudo(text: string): Parsed | undefined {
  const colon = text.indexOf(' : ')
  const user = text.slice(0, colon).trim()
  const command = text.indexOf('COMMAND=')
  if (colon === -1 || command === -1 || user === '' || user.includes(' ')) return undefined
  const groups: Record<string, string> = { user }
  const own: Fields = { COMMAND: text.slice(command + 8) }
  for (const part of text.slice(colon + 3, command).split(' ; ', MOST_PARTS)) {
    const equals = part.indexOf('=')
    const name = part.slice(0, Math.max(0, equals))
    if (/^[A-Z]{2,16}$/.test(name)) own[name] = part.slice(equals + 1).replace(/ ;$/, '')
    else if (part.trim()) groups.refusal ??= part.trim()
  }
  for (const name in SUDO) {
    const value = own[name]
    if (typeof value === 'string') groups[SUDO[name] ?? ''] = value
  }
  const parsed = parsedOf(groups, 'sudo', groups.refusal ? 'failure' : undefined)
  // Sigma's rules for sudo have its own names.
  return { ...parsed, fields: { ...parsed.fields, ...own } }
}

function parsePam(text: string): Parsed | undefined {
  const { module = '', service = '', type = '', text: rest = '' } = PAM.exec(text)?.groups ?? {}
  if (!module) return undefined
  const pam = { 'pam.module': module, 'pam.service': service, 'pam.type': type }
  const session = PAM_SESSION.exec(rest)?.groups
  if (session) {
    const parsed = parsedOf({ user: session.user }, `session_${session.what}`, 'success')
    return { ...parsed, fields: { ...parsed.fields, ...pam } }
  }
  const pairs = PAM_FAILURE.exec(rest)?.groups?.pairs
  if (pairs === undefined) return { source: 'auth', fields: pam }
  const { user, rhost, ...others } = pairsIn(pairs)
  const parsed = parsedOf({ user, ip: rhost, ...others }, 'authentication', 'failure')
  return { ...parsed, fields: { ...parsed.fields, ...pam } }
}

const MOST_PAIRS = 50

/** The first of a name counts: the user's own name stands last, and may look like a pair itself. */
function pairsIn(text: string): Record<string, string> {
  const pairs: Record<string, string> = {}
  let count = 0
  // From the beginning of a word on: within one, every letter would be tried as a beginning.
  for (const [, name = '', value = ''] of text.matchAll(/\b(\w+)=(\S*)/g)) {
    if (!Object.hasOwn(pairs, name) && name !== '__proto__') pairs[name] = value
    count += 1
    if (count === MOST_PAIRS) break
  }
  return pairs
}

const NAMES: Record<string, string> = {
  port: 'source.port',
  method: 'auth.method',
  target: 'user.target.name',
  target2: 'user.target.name',
  group: 'group.name',
  group2: 'group.name',
  command: 'process.command_line',
  pwd: 'process.working_directory',
}

function parsedOf(
  groups: Record<string, string | undefined>,
  action: string,
  outcome: string | undefined,
) {
  const { user, user2, ip, invalid, refusal, ...others } = groups
  const fields: Fields = { 'event.action': action }
  if (outcome) fields['event.outcome'] = outcome
  if (invalid) fields['user.is_unknown'] = true
  if (refusal) fields['event.reason'] = refusal
  for (const [name, value] of Object.entries(others)) {
    if (value) fields[NAMES[name] ?? `auth.${name}`] = name === 'port' ? Number(value) : value
  }
  const address = addressOf(ip)
  if (ip && !address) fields['source.address'] = ip
  return {
    source: 'auth',
    user: (user ?? user2) || undefined,
    src_ip: address,
    severity: outcome === 'failure' ? ('low' as const) : undefined,
    fields,
  }
}

export const linuxAuth: TextFormat = {
  id: 'linux.auth',
  title: 'sshd, sudo, su, PAM, cron, useradd and kin',
  group: 'linux',
  kind: 'text',
  ecs: 'authentication',
  ocsf: {
    class: 'authentication',
    activity: { ssh_login: 'logon', session_opened: 'logon', session_closed: 'logoff' },
  },
  when: {
    programs: PROGRAMS,
    starts: ['pam_', 'message repeated '],
  },
  read: parseAuth,
  samples: [
    {
      event:
        '<38>Mar  3 10:00:00 web1 sshd[4711]: Failed password for invalid user eve from 192.0.2.7 port 4022 ssh2',
      expect: {
        host: 'web1',
        user: 'eve',
        process: 'sshd',
        src_ip: '192.0.2.7',
        fields: {
          'event.action': 'ssh_login',
          'event.outcome': 'failure',
          'source.port': 4022,
          'syslog.procid': '4711',
        },
      },
    },
    {
      event:
        'Mar  3 10:00:00 web1 sudo:      eve : TTY=pts/0 ; PWD=/home/eve ; USER=root ; COMMAND=/usr/bin/id -u',
      expect: {
        host: 'web1',
        user: 'eve',
        process: 'sudo',
        fields: {
          USER: 'root',
          'user.target.name': 'root',
          'process.command_line': '/usr/bin/id -u',
        },
      },
    },
  ],
}
