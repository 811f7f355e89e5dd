import type { Severity } from '@manara/soc-contract/severity'
import type { ParseText } from '../../parsed.ts'
import { cursorOver } from '../../scan/cursor.ts'
import { pairsIn } from '../../scan/pairs.ts'
import { counted } from '../../scan/traffic.ts'
import { momentOfSomeYear } from '../../timestamps.ts'
import type { TextFormat } from '../log-format.ts'

const LEVELS: Readonly<Record<string, Severity>> = {
  I: 'info',
  W: 'medium',
  E: 'high',
  F: 'critical',
}
const HEAD =
  /^([IWEF])(\d\d)(\d\d) (\d\d:\d\d:\d\d\.\d{3,6}) +(\d{1,10}) ([\w./-]{1,120}):(\d{1,6})\] /
const MOST_PAIRS = 50

/** Kubernetes: `E0303 10:00:00.123456    4711 kubelet.go:2183] "Unhandled" err="…" pod="ns/name"`. */
const read: ParseText = (text, { receivedAt }) => {
  const [head, level, month, day, clock, pid, file, line] = HEAD.exec(text) ?? []
  if (!head || !level) return undefined
  const said = cursorOver(text.slice(head.length))
  const quoted = text[head.length] === '"' ? said.quoted() : undefined
  const pairs = quoted === undefined ? {} : pairsIn(said.rest(), { between: ' ', most: MOST_PAIRS })
  return {
    source: 'kubernetes',
    at: momentOfSomeYear(`${month}-${day}T${clock}Z`, receivedAt),
    severity: LEVELS[level],
    fields: counted({
      ...pairs,
      'log.origin.file.name': file,
      'log.origin.file.line': line,
      'log.level': level,
      'process.pid': pid,
      'event.reason': pairs.err,
      'event.outcome': pairs.err ? 'failure' : undefined,
      'kubernetes.message': quoted,
      'kubernetes.pod.name': pairs.pod,
    }),
  }
}

export const klog: TextFormat = {
  id: 'container.klog',
  title: 'Kubernetes components (klog)',
  group: 'container',
  kind: 'text',
  ecs: 'process',
  ocsf: { class: 'application_lifecycle', activity: 'other' },
  overrules: true,
  when: {
    programs: [
      'kubelet',
      'kube-apiserver',
      'kube-scheduler',
      'kube-controller-manager',
      'kube-proxy',
    ],
    starts: ['I0', 'I1', 'W0', 'W1', 'E0', 'E1', 'F0', 'F1'],
  },
  read,
  samples: [
    {
      event:
        'E0303 10:00:00.123456    4711 kubelet.go:2183] "Container runtime is not ready" err="network plugin is not ready" pod="kube-system/dns-1"',
      expect: {
        at: '2026-03-03T10:00:00.123Z',
        source: 'kubernetes',
        severity: 'high',
        fields: {
          'process.pid': 4711,
          'log.origin.file.name': 'kubelet.go',
          'event.reason': 'network plugin is not ready',
          'kubernetes.pod.name': 'kube-system/dns-1',
          'event.outcome': 'failure',
        },
      },
    },
    {
      event:
        '<30>Mar  3 10:00:00 node1 kubelet[4711]: I0303 10:00:00.000001    4711 server.go:440] Started kubelet',
      expect: { host: 'node1', process: 'kubelet', severity: 'info' },
    },
  ],
}
