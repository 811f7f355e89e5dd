import { addressOf } from '../../addresses.ts'
import type { Parsed, ParseText } from '../../parsed.ts'
import { pairsIn } from '../../scan/pairs.ts'
import { counted } from '../../scan/traffic.ts'
import { following, within, wordAfter } from '../../scan/words.ts'
import { severityOf } from '../../severity.ts'
import type { TextFormat } from '../log-format.ts'

const HOSTD =
  /^(?:\d{4}-\d\d-\d\dT\S{8,20} )?(verbose|trivia|info|warning|error|panic) ([\w-]{1,40})\[(\w{1,20})\] \[Originator@\d+ ([^\]]{0,300})\] ?/
const VCENTER =
  /^Event \[\d{1,20}\] \[\d+-\d+\] \[([^\]]{10,40})\] \[([\w.]{1,128})\] \[(\w{1,20})\] \[([^\]]{0,255})\] /

/** ESXi's hostd and vpxa, and the events that vCenter sends. */
const read: ParseText = (line, { process = '' }) => {
  const text = line.trimStart()
  if (text.startsWith('[shell.cmd@')) return readShell(text)
  const [event, , name, level, user] = VCENTER.exec(text) ?? []
  if (event !== undefined) return readEvent(text.slice(event.length), { name, level, user })
  const [head, word, , , origin = ''] = HOSTD.exec(text) ?? []
  if (head === undefined && !PROGRAMS.includes(process.toLowerCase())) return undefined
  const body = text.slice(head?.length ?? 0)
  const who = accountIn(body)
  return {
    source: 'vmware',
    severity: word === 'verbose' || word === 'trivia' ? 'info' : severityOf(word),
    user: who.user ?? (following(origin, 'user=', ' ') || undefined),
    event_code: following(origin, 'sub=', ' '),
    src_ip: who.ip,
    fields: counted({
      'vmware.operation': following(origin, 'opID=', ' '),
      'event.action': who.action,
      'event.outcome': who.outcome,
    }),
  }
}

/** `[] [4711] [User VSPHERE.LOCAL\mona@203.0.113.20 logged in as …]` */
function readEvent(
  text: string,
  { name = '', level, user }: Record<'name' | 'level' | 'user', string | undefined>,
): Parsed {
  const said = text.slice(text.lastIndexOf('[') + 1).replace(/\]$/, '')
  const who = accountIn(said)
  return {
    source: 'vcenter',
    severity: severityOf(level),
    user: who.user ?? (user || undefined),
    event_code: name.slice(name.lastIndexOf('.') + 1),
    src_ip: who.ip,
    fields: counted({
      'event.action': who.action ?? name,
      'event.outcome': who.outcome,
      'event.reason': said,
      'vmware.datacenter': within(text, '[', ']'),
    }),
  }
}

/** `User root@192.0.2.5 logged in as …`, `Cannot login eve@203.0.113.9`, `Rejected password for user root from 192.0.2.5`. */
function accountIn(body: string) {
  const isFailed = /Cannot login |Rejected password |login failed|authentication failure/i.test(
    body,
  )
  const isIn = body.includes(' logged in')
  const isOut = body.includes(' logged out')
  if (!isFailed && !isIn && !isOut) return {}
  const account = body.includes('Cannot login ')
    ? wordAfter(body, 'Cannot login ')
    : wordAfter(body, 'ser ')
  const at = account?.lastIndexOf('@') ?? -1
  const ip = addressOf(account?.slice(at + 1)) ?? addressOf(wordAfter(body, ' from '))
  return {
    user: account?.slice(0, at > 0 && addressOf(account.slice(at + 1)) ? at : undefined),
    ip,
    action: isOut ? 'logout' : 'login',
    outcome: isFailed ? 'failure' : 'success',
  }
}

/** `[shell.cmd@6876 subject="root" object="shell" command="…" result="success" status="0"]` */
function readShell(text: string): Parsed {
  const pairs = pairsIn(text, { between: ' ]' })
  return {
    source: 'vmware',
    user: pairs.subject || undefined,
    event_code: 'shell.cmd',
    fields: counted({
      'process.command_line': pairs.command,
      'event.action': 'shell_command',
      'event.outcome': pairs.result === 'success' ? 'success' : 'failure',
    }),
  }
}

const PROGRAMS = [
  'hostd',
  'vpxa',
  'vpxd',
  'vobd',
  'hostd-probe',
  'vmkernel',
  'vmkwarning',
  'fdm',
  'rhttpproxy',
]

export const vmware: TextFormat = {
  id: 'virtual.vmware',
  title: 'VMware ESXi and vCenter',
  group: 'virtual',
  kind: 'text',
  ecs: 'host',
  ocsf: { class: 'authentication', activity: { login: 'logon', logout: 'logoff' } },
  when: { programs: PROGRAMS, marks: ['[Originator@', '[vim.event.', '[shell.cmd@'] },
  read,
  samples: [
    {
      event:
        '<166>2026-03-03T10:00:00.123Z esx1.example.net Hostd: info hostd[2099456] [Originator@6876 sub=Vimsvc.ha-eventmgr opID=4f2c user=root] Event 1042 : User root@192.0.2.5 logged in as VMware-client/6.5.0',
      expect: {
        at: '2026-03-03T10:00:00.123Z',
        source: 'vmware',
        host: 'esx1.example.net',
        process: 'Hostd',
        user: 'root',
        src_ip: '192.0.2.5',
        event_code: 'Vimsvc.ha-eventmgr',
        fields: { 'event.action': 'login', 'event.outcome': 'success' },
      },
    },
    {
      event:
        '<14>1 2026-03-03T10:00:00.123456+00:00 vc1 vpxd 4711 - - Event [9981] [1-1] [2026-03-03T10:00:00.120Z] [vim.event.BadUsernameSessionEvent] [error] [] [] [9981] [Cannot login eve@203.0.113.9]',
      expect: {
        source: 'vcenter',
        host: 'vc1',
        user: 'eve',
        event_code: 'BadUsernameSessionEvent',
        src_ip: '203.0.113.9',
        fields: { 'event.outcome': 'failure' },
      },
    },
    {
      event:
        '<110>2026-03-03T10:00:00.186Z esx1 shell[4711]: [shell.cmd@6876 subject="root" object="shell" command="esxcli system account add -i eve" result="success" status="0"]',
      expect: {
        user: 'root',
        fields: {
          'process.command_line': 'esxcli system account add -i eve',
          'event.outcome': 'success',
        },
      },
    },
  ],
}
