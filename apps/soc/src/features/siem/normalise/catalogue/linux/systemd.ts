import type { ParseText } from '../../parsed.ts'
import { counted } from '../../scan/traffic.ts'
import { bare, following, within, wordAfter } from '../../scan/words.ts'
import type { TextFormat } from '../log-format.ts'

const UNIT =
  /^([\w@.:\\-]{1,128}\.(?:service|socket|timer|mount|scope|slice|target|device|path|swap)): /
const VERB =
  /^(Started|Starting|Stopped|Stopping|Reloaded|Reloading|Failed to start|Finished|Reached target|Created slice|Removed slice|Mounted|Unmounted|Listening on|Closed|Activating|Deactivated) /

/** What the service manager says of its units, and logind of sessions. */
const read: ParseText = (text) => {
  const [head, unit] = UNIT.exec(text) ?? []
  if (head !== undefined) return unitSaid(unit, text.slice(head.length))
  const [verb, word] = VERB.exec(text) ?? []
  if (verb !== undefined) {
    const named = text.slice(verb.length)
    const isFailed = word === 'Failed to start'
    return {
      source: 'systemd',
      severity: isFailed ? 'high' : undefined,
      fields: counted({
        'service.name': /^[\w@.:\\-]+\.\w+ - /.test(named) ? named.split(' ', 1)[0] : bare(named),
        'event.action': word?.toLowerCase().replaceAll(' ', '_'),
        'event.outcome': isFailed ? 'failure' : word?.endsWith('ing') ? undefined : 'success',
      }),
    }
  }
  return readSession(text)
}

function unitSaid(unit: string | undefined, body: string) {
  const isFailed =
    /^(?:Failed|Main process exited|Control process exited)|code=(?:killed|dumped)/.test(body)
  return {
    source: 'systemd',
    severity: isFailed ? ('medium' as const) : undefined,
    fields: counted({
      'service.name': unit,
      'event.action': body
        .split(/[ ,.:]/, 2)
        .join(' ')
        .toLowerCase()
        .trim(),
      'event.outcome': isFailed
        ? 'failure'
        : body.startsWith('Deactivated successfully')
          ? 'success'
          : undefined,
      'event.reason': isFailed
        ? (within(body, "result '", "'") ?? following(body, 'status=', ' '))
        : undefined,
    }),
  }
}

/** `Session 12 logged out. Waiting …`, `Removed session 12.` */
function readSession(text: string) {
  const isOut = text.startsWith('Session ') && text.includes(' logged out')
  const isRemoved = text.startsWith('Removed session ')
  if (!isOut && !isRemoved) return undefined
  return {
    source: 'systemd',
    fields: counted({
      'session.id': wordAfter(text, isOut ? 'Session ' : 'Removed session '),
      'event.action': 'session_closed',
      'event.outcome': 'success',
    }),
  }
}

export const systemd: TextFormat = {
  id: 'linux.systemd',
  title: 'systemd and logind',
  group: 'linux',
  kind: 'text',
  ecs: 'process',
  ocsf: { class: 'application_lifecycle', activity: { started: 'start', stopped: 'stop' } },
  when: { programs: ['systemd', 'systemd-logind', 'init', 'kernel-systemd'] },
  read,
  samples: [
    {
      event: "<28>Mar  3 10:00:00 web1 systemd[1]: nginx.service: Failed with result 'exit-code'.",
      expect: {
        source: 'systemd',
        host: 'web1',
        process: 'systemd',
        fields: {
          'service.name': 'nginx.service',
          'event.outcome': 'failure',
          'event.reason': 'exit-code',
        },
      },
    },
    {
      event:
        '<30>Mar  3 10:00:00 web1 systemd[1]: Started nginx.service - A high performance web server.',
      expect: { fields: { 'service.name': 'nginx.service', 'event.action': 'started' } },
    },
    {
      event: '<38>Mar  3 10:00:00 web1 systemd-logind[700]: Removed session 12.',
      expect: { fields: { 'session.id': '12', 'event.action': 'session_closed' } },
    },
  ],
}
