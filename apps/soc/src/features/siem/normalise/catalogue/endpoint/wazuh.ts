import type { Severity } from '@manara/soc-contract/severity'
import { addressOf } from '../../addresses.ts'
import { type Parsed, type ParseObject, type ParseText, textOf } from '../../parsed.ts'
import { counted } from '../../scan/traffic.ts'
import { following, within } from '../../scan/words.ts'
import { momentOf } from '../../timestamps.ts'
import type { ObjectFormat, TextFormat } from '../log-format.ts'
import { parseWindows } from '../windows/windows-event.ts'

/** Levels go from 0 to 16; from 12 on they are meant to wake somebody. */
function severityOfLevel(level: string | undefined): Severity | undefined {
  const number = Number(level)
  if (!level || !Number.isFinite(number)) return undefined
  if (number >= 15) return 'critical'
  if (number >= 12) return 'high'
  if (number >= 7) return 'medium'
  return number >= 4 ? 'low' : 'info'
}

const readObject: ParseObject = (fields, context) => {
  const { receivedAt } = context
  const windows = Object.hasOwn(fields, 'data.win.system.eventID')
    ? parseWindows(fields, context)
    : undefined
  const of = (...names: string[]) => names.map((name) => textOf(fields[name])).find(Boolean)
  const level = of('rule.level')
  return {
    source: 'wazuh',
    at: momentOf(of('timestamp', '@timestamp'), receivedAt),
    machine: of('agent.name', 'predecoder.hostname'),
    severity: severityOfLevel(level),
    message: of('full_log', 'rule.description'),
    user:
      of('data.dstuser', 'data.srcuser', 'data.user') ??
      windows?.user ??
      of('syscheck.uname_after'),
    process:
      of('predecoder.program_name', 'data.process') ?? windows?.process ?? of('decoder.name'),
    event_code: of('rule.id'),
    src_ip: addressOf(of('data.srcip', 'data.src_ip')) ?? windows?.src_ip,
    dst_ip: addressOf(of('data.dstip', 'data.dest_ip')) ?? windows?.dst_ip,
    fields: {
      ...windows?.fields,
      ...alertNames(of),
    },
  }
}

type Of = (...names: string[]) => string | undefined

const alertNames = (of: Of) =>
  counted({
    'rule.name': of('rule.description'),
    'source.port': of('data.srcport', 'data.src_port'),
    'destination.port': of('data.dstport', 'data.dest_port'),
    'event.action': of('syscheck.event', 'data.action'),
    'file.path': of('syscheck.path'),
    'file.hash.sha256': of('syscheck.sha256_after'),
    'url.original': of('data.url'),
    'threat.technique.id': of('rule.mitre.id'),
    'observer.name': of('manager.name'),
  })

/** What OSSEC and Wazuh write to `alerts.log` and send by syslog. */
const readLine: ParseText = (text, { receivedAt }) => {
  if (text.startsWith('** Alert ')) return readAlert(text, receivedAt)
  const level = within(text, 'Alert Level: ', ';')
  if (!level) return undefined
  const [id, ...name] = (within(text, 'Rule: ', ';') ?? '').split(' - ')
  return foundOf({
    level,
    id,
    name: name.join(' - '),
    place: within(text, 'Location: ', ';'),
    ip: within(text, 'srcip: ', ';'),
    user: within(text, 'user: ', ';'),
    target: within(text, 'dstip: ', ';'),
  })
}

/** Several lines: number and groups, time and place, rule, then what is known by name. */
function readAlert(text: string, receivedAt: number): Parsed {
  const lines = text.split('\n', 12)
  const place = lines[1]?.slice(21)
  const [, id, level, name] =
    /^Rule: (\d{1,10}) \(level (\d{1,2})\) -> '(.{0,500})'$/.exec(lines[2] ?? '') ?? []
  const found = foundOf({
    level,
    id,
    name,
    place,
    ip: following(text, '\nSrc IP: ', '\n'),
    target: following(text, '\nDst IP: ', '\n'),
    user: following(text, '\nUser: ', '\n'),
  })
  return { ...found, at: momentOf(within(text, '** Alert ', '.'), receivedAt) }
}

type Found = Partial<
  Record<'level' | 'id' | 'name' | 'place' | 'ip' | 'target' | 'user', string | undefined>
>

/** A place is `(agent) address->file`, or `machine->file` where the server read it itself. */
function foundOf({ level, id, name, place = '', ip, target, user }: Found): Parsed {
  const machine = within(place, '(', ')') ?? place.split('->', 1)[0]
  return {
    source: 'ossec',
    machine: machine || undefined,
    severity: severityOfLevel(level),
    user: user || undefined,
    event_code: id,
    src_ip: addressOf(ip),
    dst_ip: addressOf(target),
    fields: counted({
      'rule.id': id,
      'rule.name': name,
      'rule.level': level && Number(level),
      'log.file.path': place.includes('->') ? place.slice(place.lastIndexOf('->') + 2) : undefined,
    }),
  }
}

const ABOUT = {
  group: 'endpoint',
  ecs: 'intrusion_detection',
  ocsf: { class: 'detection_finding', activity: 'create' },
} as const

export const wazuh: ObjectFormat = {
  ...ABOUT,
  id: 'endpoint.wazuh',
  title: 'Wazuh alerts as JSON',
  kind: 'object',
  when: {
    names: [
      ['rule.level', 'rule.id', 'decoder.name'],
      ['full_log', 'rule.level'],
      ['rule.level', 'rule.id', 'manager.name'],
    ],
  },
  read: readObject,
  samples: [
    {
      event: {
        timestamp: '2026-03-03T10:00:00.123+0000',
        rule: { level: 10, description: 'sshd: brute force', id: '5712', mitre: { id: ['T1110'] } },
        agent: { id: '001', name: 'web1', ip: '192.0.2.80' },
        manager: { name: 'wazuh1' },
        id: '1772532000.4711',
        full_log: 'Mar  3 10:00:00 web1 sshd[4711]: Invalid user eve from 203.0.113.9 port 41000',
        predecoder: { program_name: 'sshd', hostname: 'web1' },
        decoder: { name: 'sshd' },
        data: { srcip: '203.0.113.9', srcport: '41000', srcuser: 'eve' },
        location: '/var/log/auth.log',
      },
      expect: {
        at: '2026-03-03T10:00:00.123Z',
        source: 'wazuh',
        host: 'web1',
        severity: 'medium',
        user: 'eve',
        process: 'sshd',
        event_code: '5712',
        src_ip: '203.0.113.9',
        fields: { 'source.port': 41000, 'rule.name': 'sshd: brute force' },
      },
    },
  ],
}

export const ossec: TextFormat = {
  ...ABOUT,
  id: 'endpoint.ossec',
  title: 'OSSEC and Wazuh alerts as text',
  kind: 'text',
  overrules: true,
  when: {
    programs: ['ossec', 'wazuh'],
    starts: ['** Alert '],
    marks: ['Alert Level: '],
    begins: /Alert Level: /,
  },
  read: readLine,
  samples: [
    {
      event:
        '<132>Mar  3 10:00:00 wazuh1 ossec: Alert Level: 5; Rule: 5716 - sshd: authentication failed.; Location: (web1) 192.0.2.80->/var/log/auth.log; srcip: 203.0.113.9; user: eve; Mar  3 10:00:00 web1 sshd[4711]: Failed password',
      expect: {
        source: 'ossec',
        host: 'web1',
        severity: 'low',
        user: 'eve',
        event_code: '5716',
        src_ip: '203.0.113.9',
        fields: { 'rule.name': 'sshd: authentication failed.', collector: 'wazuh1' },
      },
    },
    {
      event:
        "** Alert 1772532000.4711: - syslog,sshd,\n2026 Mar 03 10:00:00 (web1) 192.0.2.80->/var/log/auth.log\nRule: 5716 (level 5) -> 'sshd: authentication failed.'\nSrc IP: 203.0.113.9\nUser: eve\nMar  3 10:00:00 web1 sshd[4711]: Failed password for eve",
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        host: 'web1',
        user: 'eve',
        event_code: '5716',
        src_ip: '203.0.113.9',
      },
    },
  ],
}
