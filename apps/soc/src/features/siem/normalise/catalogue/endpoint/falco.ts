import { addressOf } from '../../addresses.ts'
import { type ParseObject, type ParseText, textOf } from '../../parsed.ts'
import { pairsIn } from '../../scan/pairs.ts'
import { counted } from '../../scan/traffic.ts'
import { severityOf } from '../../severity.ts'
import { momentOf } from '../../timestamps.ts'
import type { ObjectFormat, TextFormat } from '../log-format.ts'

const readObject: ParseObject = (fields, { receivedAt }) => {
  const of = (...names: string[]) =>
    names.map((name) => textOf(fields[`output_fields.${name}`])).find(Boolean)
  return {
    source: 'falco',
    at: momentOf(fields.time, receivedAt),
    machine: textOf(fields.hostname),
    severity: severityOf(fields.priority),
    message: textOf(fields.output),
    user: of('user.name', 'ka.user.name'),
    process: of('proc.name'),
    event_code: textOf(fields.rule),
    src_ip: addressOf(of('fd.cip', 'ka.sourceips')),
    dst_ip: addressOf(of('fd.sip')),
    fields: counted({
      'rule.name': textOf(fields.rule),
      'process.command_line': of('proc.cmdline'),
      'process.pid': of('proc.pid'),
      'process.executable': of('proc.exepath'),
      'process.parent.name': of('proc.pname'),
      'file.path': of('fd.name'),
      'source.port': of('fd.cport'),
      'destination.port': of('fd.sport'),
      'container.id': of('container.id'),
      'container.name': of('container.name'),
      'container.image.name': of('container.image.repository'),
      'kubernetes.namespace': of('k8s.ns.name'),
      'kubernetes.pod.name': of('k8s.pod.name'),
    }),
  }
}

const HEAD =
  /^(?:\d\d:\d\d:\d\d\.\d{9}: )?(Emergency|Alert|Critical|Error|Warning|Notice|Informational|Info|Debug):? /

/** `10:00:00.123456789: Warning A shell … (user=root shell=bash container_id=…)`. */
const readLine: ParseText = (text) => {
  const [head, level] = HEAD.exec(text) ?? []
  if (head === undefined) return undefined
  const open = text.indexOf('(')
  const end = text.indexOf('|')
  const pairs = pairsIn(open < 0 ? text.slice(end + 1) : text.slice(open), { between: ' ' })
  const said =
    open > 0 ? text.slice(head.length, open) : text.slice(head.length, end < 0 ? undefined : end)
  return {
    source: 'falco',
    severity: severityOf(level),
    user: pairs.user || pairs.user_name || undefined,
    process: pairs.process || pairs.proc_name || pairs.shell || undefined,
    fields: counted({
      ...pairs,
      'rule.name': said.trim(),
      'process.command_line': pairs.cmdline || pairs.command,
      'process.parent.name': pairs.parent,
      'container.id': pairs.container_id || pairs.container,
    }),
  }
}

const ABOUT = {
  group: 'endpoint',
  ecs: 'intrusion_detection',
  ocsf: { class: 'detection_finding', activity: 'create' },
} as const

export const falco: ObjectFormat = {
  ...ABOUT,
  id: 'endpoint.falco',
  title: 'Falco as JSON',
  kind: 'object',
  when: { names: [['output', 'rule', 'priority']] },
  read: readObject,
  samples: [
    {
      event: {
        hostname: 'node1',
        output: '10:00:00.123456789: Warning Shell in a container (user=root)',
        priority: 'Warning',
        rule: 'Terminal shell in container',
        source: 'syscall',
        tags: ['container', 'shell'],
        time: '2026-03-03T10:00:00.123456789Z',
        output_fields: {
          'container.id': '3ad7b26ded6d',
          'proc.cmdline': 'bash -i',
          'proc.name': 'bash',
          'user.name': 'root',
          'fd.cip': '203.0.113.9',
        },
      },
      expect: {
        at: '2026-03-03T10:00:00.123Z',
        host: 'node1',
        severity: 'medium',
        user: 'root',
        process: 'bash',
        event_code: 'Terminal shell in container',
        src_ip: '203.0.113.9',
        fields: { 'process.command_line': 'bash -i', 'container.id': '3ad7b26ded6d' },
      },
    },
  ],
}

export const falcoLines: TextFormat = {
  ...ABOUT,
  id: 'endpoint.falco_lines',
  title: 'Falco as text',
  kind: 'text',
  overrules: true,
  when: { programs: ['falco'] },
  read: readLine,
  samples: [
    {
      event:
        '<12>Mar  3 10:00:00 node1 falco[4711]: 10:00:00.123456789: Warning Shell in a container (user=root container_id=3ad7b26ded6d shell=bash parent=runc cmdline="bash -i")',
      expect: {
        source: 'falco',
        host: 'node1',
        severity: 'medium',
        user: 'root',
        fields: { 'container.id': '3ad7b26ded6d', 'process.command_line': 'bash -i' },
      },
    },
  ],
}
