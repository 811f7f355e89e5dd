import { type ParseObject, type ParseText, textOf } from '../../parsed.ts'
import { pairsIn } from '../../scan/pairs.ts'
import { counted } from '../../scan/traffic.ts'
import { severityOf } from '../../severity.ts'
import { momentOf } from '../../timestamps.ts'
import type { ObjectFormat, TextFormat } from '../log-format.ts'

/** dockerd, containerd, cri-dockerd and kin: `time="…" level=info msg="…" container=…`. */
const readLine: ParseText = (text, { receivedAt, process }) => {
  const pairs = pairsIn(text, { between: ' ' })
  if (!pairs.time || !pairs.level || pairs.msg === undefined) return undefined
  return {
    source: process?.toLowerCase().includes('containerd') ? 'containerd' : 'docker',
    at: momentOf(pairs.time, receivedAt),
    severity: severityOf(pairs.level),
    event_code: pairs.module || pairs.topic || undefined,
    fields: counted({
      ...pairs,
      'log.level': pairs.level,
      'container.id': pairs.container || pairs.id || pairs.containerID,
      'event.reason': pairs.error,
      'event.outcome': pairs.error ? 'failure' : undefined,
    }),
  }
}

const readEvent: ParseObject = (fields, { receivedAt }) => {
  const of = (...names: string[]) => names.map((name) => textOf(fields[name])).find(Boolean)
  const type = of('Type')
  const action = of('Action', 'status') ?? ''
  return {
    source: 'docker',
    at: momentOf(fields.timeNano ?? fields.time, receivedAt),
    message: [type, action, of('Actor.Attributes.name', 'from')].filter(Boolean).join(' '),
    event_code: [type, action.split(':', 1)[0]].filter(Boolean).join('.'),
    fields: counted({
      'event.action': action.split(':', 1)[0],
      'container.id': type === 'container' ? of('Actor.ID') : undefined,
      'container.name': of('Actor.Attributes.name'),
      'container.image.name': of('Actor.Attributes.image', 'from'),
      'process.command_line': action.startsWith('exec_')
        ? action.slice(action.indexOf(': ') + 2)
        : undefined,
      'process.exit_code': of('Actor.Attributes.exitCode'),
    }),
  }
}

const ABOUT = {
  group: 'container',
  ecs: 'process',
  ocsf: {
    class: 'application_lifecycle',
    activity: { start: 'start', stop: 'stop', die: 'stop', create: 'install' },
  },
} as const

export const dockerDaemon: TextFormat = {
  ...ABOUT,
  id: 'container.docker_daemon',
  title: 'Docker and containerd daemons',
  kind: 'text',
  overrules: true,
  when: {
    programs: [
      'dockerd',
      'docker',
      'containerd',
      'cri-dockerd',
      'dockerd-current',
      'docker-containerd',
    ],
  },
  read: readLine,
  samples: [
    {
      event:
        '<30>Mar  3 10:00:00 node1 dockerd[4711]: time="2026-03-03T10:00:00.123456789Z" level=error msg="Handler for POST /v1.45/containers/create returned error: No such image" error="not found" container=3ad7b26ded6d',
      expect: {
        at: '2026-03-03T10:00:00.123Z',
        source: 'docker',
        host: 'node1',
        severity: 'high',
        process: 'dockerd',
        fields: { 'container.id': '3ad7b26ded6d', 'event.outcome': 'failure' },
      },
    },
    {
      event:
        '<30>Mar  3 10:00:00 node1 containerd[4711]: time="2026-03-03T10:00:00.123Z" level=info msg="StartContainer for \\"3ad7b26ded6d\\" returns successfully"',
      expect: { source: 'containerd', severity: 'info' },
    },
  ],
}

export const dockerEvent: ObjectFormat = {
  ...ABOUT,
  id: 'container.docker_event',
  title: 'Docker events',
  kind: 'object',
  when: { names: [['Actor.ID', 'Action']] },
  read: readEvent,
  samples: [
    {
      event: {
        Type: 'container',
        Action: 'exec_start: sh -c id',
        Actor: { ID: '3ad7b26ded6d', Attributes: { image: 'alpine', name: 'web' } },
        scope: 'local',
        time: 1772532000,
        timeNano: 1772532000000000000,
      },
      expect: {
        source: 'docker',
        event_code: 'container.exec_start',
        fields: {
          'container.name': 'web',
          'container.image.name': 'alpine',
          'event.action': 'exec_start',
          'process.command_line': 'sh -c id',
        },
      },
    },
  ],
}
