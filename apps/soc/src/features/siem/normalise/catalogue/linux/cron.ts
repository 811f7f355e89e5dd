import type { ParseText } from '../../parsed.ts'
import { counted } from '../../scan/traffic.ts'
import type { TextFormat } from '../log-format.ts'

const LINE = /^\(([^)]{1,64})\) ([A-Z][A-Z ]{2,24}|CMDEND|CMD) \(/
const ACTIONS: Record<string, string> = {
  CMD: 'cron_command',
  CMDOUT: 'cron_output',
  CMDEND: 'cron_ended',
  'BEGIN EDIT': 'crontab_edit',
  'END EDIT': 'crontab_edited',
  REPLACE: 'crontab_replaced',
  LIST: 'crontab_listed',
  DELETE: 'crontab_deleted',
  RELOAD: 'crontab_reloaded',
}

/** `(root) CMD (…)`, `(mona) REPLACE (mona)`: cron, crontab, anacron's and cronie's words. */
const read: ParseText = (text) => {
  const [head, user, verb = ''] = LINE.exec(text) ?? []
  if (head === undefined) return undefined
  const inside = text.slice(head.length, text.endsWith(')') ? -1 : undefined)
  const action = ACTIONS[verb]
  const isCommand = verb.startsWith('CMD')
  return {
    source: 'cron',
    severity: verb === 'ERROR' || verb === 'AUTH' ? 'medium' : undefined,
    user: user === '*system*' ? undefined : user,
    event_code: verb,
    fields: counted({
      'event.action': action ?? verb.toLowerCase().replaceAll(' ', '_'),
      'event.outcome': verb === 'ERROR' ? 'failure' : undefined,
      'process.command_line': isCommand ? inside.trim() : undefined,
      'user.target.name': isCommand || verb === 'ERROR' ? undefined : inside,
    }),
  }
}

export const cron: TextFormat = {
  id: 'linux.cron',
  title: 'cron and crontab',
  group: 'linux',
  kind: 'text',
  ecs: 'process',
  ocsf: { class: 'process_activity', activity: { cron_command: 'launch' } },
  when: { programs: ['cron', 'crond', 'crontab', 'anacron', '/usr/sbin/cron'] },
  read,
  samples: [
    {
      event: '<78>Mar  3 10:00:00 web1 crontab[4711]: (mona) REPLACE (mona)',
      expect: {
        source: 'cron',
        host: 'web1',
        process: 'crontab',
        user: 'mona',
        fields: { 'event.action': 'crontab_replaced' },
      },
    },
    {
      event: '<78>Mar  3 10:00:00 web1 CROND[4711]: (root) CMD (/usr/lib64/sa/sa1 1 1)',
      expect: { user: 'root', fields: { 'process.command_line': '/usr/lib64/sa/sa1 1 1' } },
    },
  ],
}
