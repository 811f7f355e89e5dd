import type { Fields } from '../../fields.ts'
import { type ParseObject, textOf } from '../../parsed.ts'
import { keptFields, numberIn } from '../../scan/kept-fields.ts'
import { lifted } from '../../scan/lifted.ts'
import { momentOf } from '../../timestamps.ts'
import type { ObjectFormat } from '../log-format.ts'

const MOST_ARGUMENTS = 200
/** The records that laurel joins to one event, of which rules name what is in them. */
const RECORDS = ['SYSCALL', 'EXECVE', 'CWD', 'PATH', 'PROCTITLE', 'SOCKADDR', 'USER_CMD']

/** Events of the kernel's audit log as laurel, auditbeat and filebeat write them, with auditd's names. */
const read: ParseObject = (fields, { receivedAt }) => {
  const isLaurel = Object.hasOwn(fields, 'ID')
  const record = isLaurel ? ofLaurel(fields) : ofBeats(fields)
  const of = (name: string) => textOf(record[name]) ?? textOf(fields[name])
  const exe = of('exe') ?? of('process.executable')
  const [time] = (isLaurel && of('ID')?.split(':')) || []
  return {
    source: 'auditd',
    at: momentOf(numberIn(time) ?? of('@timestamp'), receivedAt),
    machine: of('NODE'),
    host: of('NODE'),
    user: of('acct') ?? of('AUID') ?? of('UID') ?? of('user.name'),
    process: of('comm') ?? exe,
    event_code: of('type'),
    fields: keptFields({
      ...record,
      'process.executable': exe,
      'process.parent.executable': of('PPID.exe'),
      'process.pid': numberIn(of('pid')),
      'process.command_line': argumentsOf(fields) ?? of('proctitle') ?? of('process.title'),
      'process.working_directory': of('cwd'),
      'file.path': of('name'),
      'auditd.key': of('key'),
    }),
  }
}

/** `{"ID":…,"SYSCALL":{…},"EXECVE":{"ARGV":[…]},"PATH":[…]}`: an event is all of its records. */
function ofLaurel(fields: Fields): Fields {
  const record: Fields = {}
  const types: string[] = []
  for (const type of RECORDS) {
    const own = lifted(fields, `${type}.`)
    if (Object.keys(own).length > 0) types.push(type)
    for (const name in own) record[name] ??= own[name] ?? null
  }
  numbered(record, fields['EXECVE.ARGV'])
  return { ...record, type: types }
}

function ofBeats(fields: Fields): Fields {
  const record = { ...lifted(fields, 'auditd.data.'), ...lifted(fields, 'auditd.log.') }
  const type = textOf(fields['auditd.log.record_type']) ?? textOf(fields['auditd.message_type'])
  // Auditbeat joins the arguments to the call they are of.
  const isCall = type === 'syscall' && Object.hasOwn(record, 'argc')
  const named = type?.toUpperCase() ?? null
  return {
    exe: fields['process.executable'] ?? null,
    comm: fields['process.name'] ?? null,
    name: fields['file.path'] ?? null,
    ...record,
    type: isCall ? ['SYSCALL', 'EXECVE'] : named,
  }
}

/** Arguments as the records have them: `a0`, `a1` … */
function numbered(record: Fields, list: Fields[string] | undefined) {
  if (!Array.isArray(list)) return
  for (const [at, argument] of list.slice(0, MOST_ARGUMENTS).entries()) record[`a${at}`] = argument
}

function argumentsOf(fields: Fields): string | undefined {
  for (const place of ['EXECVE.ARGV', 'process.args', 'PROCTITLE.ARGV']) {
    const list = fields[place]
    if (Array.isArray(list)) return list.slice(0, MOST_ARGUMENTS).join(' ')
  }
  return undefined
}

export const auditdJson: ObjectFormat = {
  id: 'linux.auditd_json',
  title: 'auditd’s events as JSON, of laurel, auditbeat and filebeat',
  group: 'linux',
  kind: 'object',
  ecs: 'process',
  ocsf: { class: 'process_activity', activity: { execve: 'launch', syscall: 'other' } },
  when: {
    names: [
      ...RECORDS.flatMap((type) =>
        ['syscall', 'ARGV', 'cwd', 'name', 'saddr', 'cmd'].map((name) => [`${type}.${name}`, 'ID']),
      ),
      ['auditd.message_type'],
      ['auditd.log.record_type'],
    ],
  },
  read,
  samples: [
    {
      event: {
        ID: '1772532000.250:77',
        NODE: 'web1',
        SYSCALL: {
          ...{ arch: '0xc000003e', syscall: 59, success: 'yes', pid: 901, comm: 'cat' },
          ...{ exe: '/usr/bin/cat', key: 'exec', SYSCALL: 'execve', AUID: 'eve' },
          PPID: { comm: 'bash', exe: '/usr/bin/bash' },
        },
        EXECVE: { argc: 2, ARGV: ['cat', '/etc/shadow'] },
        CWD: { cwd: '/root' },
        PATH: [{ item: 0, name: '/usr/bin/cat', nametype: 'NORMAL' }],
      },
      expect: {
        at: '2026-03-03T10:00:00.250Z',
        source: 'auditd',
        host: 'web1',
        user: 'eve',
        process: 'cat',
        fields: {
          type: ['SYSCALL', 'EXECVE', 'CWD', 'PATH'],
          a0: 'cat',
          a1: '/etc/shadow',
          exe: '/usr/bin/cat',
          'process.command_line': 'cat /etc/shadow',
          'process.parent.executable': '/usr/bin/bash',
        },
      },
    },
    {
      event: {
        '@timestamp': '2026-03-03T10:00:00.250Z',
        event: { module: 'auditd', action: 'executed' },
        auditd: {
          message_type: 'syscall',
          data: { a0: 'cat', a1: '/etc/shadow', argc: '2', syscall: 'execve' },
        },
        process: { executable: '/usr/bin/cat', name: 'cat', args: ['cat', '/etc/shadow'] },
      },
      expect: {
        at: '2026-03-03T10:00:00.250Z',
        process: 'cat',
        fields: {
          type: ['SYSCALL', 'EXECVE'],
          a1: '/etc/shadow',
          exe: '/usr/bin/cat',
          'process.command_line': 'cat /etc/shadow',
        },
      },
    },
  ],
}
