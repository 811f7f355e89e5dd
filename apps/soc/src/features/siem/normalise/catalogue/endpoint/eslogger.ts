import { type ParseObject, textOf } from '../../parsed.ts'
import { counted } from '../../scan/traffic.ts'
import { momentOf } from '../../timestamps.ts'
import { listOf, mapOf } from '../cloud/cloud-event.ts'
import type { ObjectFormat } from '../log-format.ts'
import { accountOf, programOf } from './unix-process.ts'

type What = Record<string, unknown>

const MOST_ARGUMENTS = 200
/** What ECS calls it: rules for processes and files must not find what else a process does. */
const TELLS_OF = new Map([
  ['exec', ['process', 'start']],
  ['exit', ['process', 'end']],
  ['create', ['file', 'creation']],
  ['rename', ['file', 'change']],
  ['write', ['file', 'change']],
  ['unlink', ['file', 'deletion']],
])

/** An event of Apple's Endpoint Security: who did it, and below `event` what. */
const read: ParseObject = (fields, { object, receivedAt }) => {
  const [action, about] = Object.entries(mapOf(object.event))[0] ?? []
  const actor = mapOf(object.process)
  if (action === undefined || pathOf(actor.executable) === undefined) return undefined
  const what = mapOf(about)
  const isStart = action === 'exec'
  const process = isStart ? mapOf(what.target) : actor
  const { pid, euid } = mapOf(process.audit_token)
  const executable = pathOf(process.executable)
  const [category, type] = TELLS_OF.get(action) ?? ['host', 'info']
  const commandLine = isStart
    ? listOf(what.args).slice(0, MOST_ARGUMENTS).filter(isText).join(' ')
    : undefined
  const file = category === 'file' ? fileOf(what) : undefined
  return {
    source: 'eslogger',
    at: momentOf(fields.time, receivedAt),
    message: [action, commandLine || file || executable].join(': '),
    user: accountOf(euid),
    process: programOf(executable),
    event_code: action,
    fields: counted({
      'host.os.type': 'macos',
      'event.category': category,
      'event.type': type,
      'event.action': action,
      'process.executable': executable,
      'process.command_line': commandLine,
      'process.working_directory': isStart ? pathOf(what.cwd) : undefined,
      'process.pid': textOf(pid),
      // Who starts another program is a copy of its parent until then.
      'process.parent.executable': isStart ? pathOf(actor.executable) : undefined,
      'process.parent.pid': textOf(process.ppid),
      'user.id': textOf(euid),
      'file.path': file,
    }),
  }
}

const isText = (value: unknown) => typeof value === 'string'

const pathOf = (file: unknown) => textOf(mapOf(file).path)

/** Where it came to be, or the one that was there. */
function fileOf({ destination, target, source }: What): string | undefined {
  const { existing_file, new_path } = mapOf(destination)
  const { dir, filename } = mapOf(new_path)
  const name = textOf(filename)
  const made = name === undefined ? undefined : `${pathOf(dir) ?? ''}/${name}`
  return made ?? pathOf(existing_file) ?? pathOf(target) ?? pathOf(source)
}

export const eslogger: ObjectFormat = {
  id: 'endpoint.eslogger',
  title: 'macOS: events of Endpoint Security as eslogger writes them',
  group: 'endpoint',
  kind: 'object',
  ecs: 'process',
  ocsf: { class: 'process_activity', activity: 'other' },
  when: { names: [['event_type', 'process.executable.path', 'process.audit_token.pid']] },
  read,
  samples: [
    {
      event: {
        schema_version: 1,
        mach_time: 518_281_374_289,
        event_type: 9,
        time: '2026-03-03T10:00:00.123456789Z',
        process: {
          audit_token: { pid: 500, euid: 501 },
          ppid: 1,
          executable: { path: '/bin/zsh', path_truncated: false },
        },
        event: {
          exec: {
            target: {
              audit_token: { pid: 500, euid: 501 },
              ppid: 1,
              executable: { path: '/usr/bin/osascript', path_truncated: false },
            },
            args: ['osascript', '-e', 'display dialog "Password"'],
            cwd: { path: '/Users/eve', path_truncated: false },
          },
        },
      },
      expect: {
        at: '2026-03-03T10:00:00.123Z',
        source: 'eslogger',
        user: '501',
        process: 'osascript',
        event_code: 'exec',
        message: 'exec: osascript -e display dialog "Password"',
        fields: {
          'process.executable': '/usr/bin/osascript',
          'process.parent.executable': '/bin/zsh',
          'host.os.type': 'macos',
        },
      },
    },
    {
      event: {
        event_type: 13,
        time: '2026-03-03T10:00:00Z',
        process: { audit_token: { pid: 9, euid: 0 }, executable: { path: '/usr/bin/tee' } },
        event: {
          create: {
            destination_type: 1,
            destination: {
              new_path: { dir: { path: '/Library/LaunchDaemons' }, filename: 'a.plist' },
            },
          },
        },
      },
      expect: {
        user: 'root',
        event_code: 'create',
        fields: { 'event.category': 'file', 'file.path': '/Library/LaunchDaemons/a.plist' },
      },
    },
  ],
}
