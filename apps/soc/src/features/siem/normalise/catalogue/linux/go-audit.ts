import { type ParseObject, textOf } from '../../parsed.ts'
import { listOf, mapOf } from '../cloud/cloud-event.ts'
import type { ObjectFormat } from '../log-format.ts'
import { auditd } from './auditd.ts'

/** The kernel's numbers of the records that rules name. */
const TYPES = new Map([
  ['1300', 'SYSCALL'],
  ['1302', 'PATH'],
  ['1305', 'CONFIG_CHANGE'],
  ['1306', 'SOCKADDR'],
  ['1307', 'CWD'],
  ['1309', 'EXECVE'],
  ['1326', 'SECCOMP'],
  ['1327', 'PROCTITLE'],
])

/** An event of the kernel's audit log: its records as auditd writes them, and who has which number. */
const read: ParseObject = (fields, { receivedAt, object }) => {
  const id = `${textOf(fields.timestamp)}:${textOf(fields.sequence)}`
  const records = listOf(object.messages).map((message) => {
    const { type, data } = mapOf(message)
    return `type=${TYPES.get(String(type)) ?? type} msg=audit(${id}): ${textOf(data) ?? ''}`
  })
  const parsed = auditd.read(records.join(' '), { receivedAt })
  if (!parsed) return undefined
  const named = parsed.user === undefined ? undefined : fields[`uid_map.${parsed.user}`]
  return { ...parsed, user: textOf(named) ?? parsed.user }
}

export const goAudit: ObjectFormat = {
  id: 'linux.go_audit',
  title: 'auditd’s events as go-audit writes them',
  group: 'linux',
  kind: 'object',
  ecs: 'process',
  ocsf: { class: 'process_activity', activity: { execve: 'launch', syscall: 'other' } },
  when: { names: [['messages.data', 'messages.type', 'sequence']] },
  read,
  samples: [
    {
      event: {
        sequence: 77,
        timestamp: '1772532000.250',
        messages: [
          {
            type: 1300,
            data: 'arch=c000003e syscall=59 success=yes exit=0 a0=7ffd1 a1=7ffd2 pid=901 auid=1000 uid=0 comm="cat" exe="/usr/bin/cat" key="exec"',
          },
          { type: 1309, data: 'argc=2 a0="cat" a1="/etc/shadow"' },
        ],
        uid_map: { 0: 'root', 1000: 'eve' },
      },
      expect: {
        at: '2026-03-03T10:00:00.250Z',
        source: 'auditd',
        user: 'eve',
        process: 'cat',
        event_code: 'SYSCALL',
        fields: {
          type: ['SYSCALL', 'EXECVE'],
          a1: '/etc/shadow',
          'process.command_line': 'cat /etc/shadow',
        },
      },
    },
  ],
}
