import { allOf, anyOf } from '@manara/log-query/normalise'
import type { FieldNames, Mapping } from './mappings.ts'
import { exists, isOneOf, not } from './queries.ts'
import { NOT_WINDOWS, named } from './told-by.ts'

/**
 * Rules for macOS and Linux name programs that both have: what an event says of its machine, or what
 * only one of them writes, keeps them apart.
 */
const NOT_LINUX = anyOf([
  isOneOf('host.os.type', ['macos', 'windows']),
  isOneOf('host.os.family', ['darwin', 'macos', 'windows']),
  isOneOf('host.os.platform', ['darwin', 'windows']),
])
const NOT_MACOS = anyOf([
  isOneOf('host.os.type', ['linux', 'windows']),
  isOneOf('host.os.family', ['debian', 'redhat', 'suse', 'windows']),
  isOneOf('_parser', [
    ...['linux.auditd', 'linux.auditd_json', 'linux.go_audit', 'endpoint.falco', 'linux.cron'],
  ]),
])

/**
 * Sensors name the program in everything that it does: where an event says what it tells of, as ECS
 * has it, it has to be that, and neither the end of it nor a deletion. Some tell of the beginning and
 * the end at once.
 */
const ECS_CATEGORIES: Record<string, string[]> = {
  process_creation: ['process'],
  network_connection: ['network', 'ip'],
  file_event: ['file'],
}
const tellsOf = (category: string) =>
  allOf([
    anyOf([
      not(exists('event.category')),
      isOneOf('event.category', ECS_CATEGORIES[category] ?? []),
    ]),
    anyOf([
      not(isOneOf('event.type', ['end', 'deletion'])),
      isOneOf('event.type', ['start', 'creation', 'connection']),
    ]),
  ])

/** Sysmon for Linux numbers its events as on Windows. */
const linuxSysmon = (category: string, eventId: number) =>
  allOf([
    not(NOT_LINUX),
    tellsOf(category),
    anyOf([
      NOT_WINDOWS,
      allOf([isOneOf('Channel', ['Linux-Sysmon/Operational']), isOneOf('EventID', [eventId])]),
    ]),
  ])

const PROCESS_FIELDS: FieldNames = {
  Image: ['Image', 'process.executable', 'exe'],
  CommandLine: ['CommandLine', 'process.command_line', 'cmdline'],
  ParentImage: ['ParentImage', 'process.parent.executable'],
  ParentCommandLine: ['ParentCommandLine', 'process.parent.command_line'],
  CurrentDirectory: ['CurrentDirectory', 'process.working_directory', 'cwd'],
  User: ['User', 'user'],
}

const LINUX: Mapping[] = [
  {
    product: 'linux',
    category: 'process_creation',
    condition: linuxSysmon('process_creation', 1),
    fields: PROCESS_FIELDS,
  },
  {
    product: 'linux',
    category: 'network_connection',
    condition: linuxSysmon('network_connection', 3),
    fields: {
      ...PROCESS_FIELDS,
      DestinationIp: ['DestinationIp', 'dst_ip', 'destination.ip'],
      DestinationHostname: ['DestinationHostname', 'destination.domain'],
      DestinationPort: ['DestinationPort', 'destination.port'],
    },
  },
  {
    product: 'linux',
    category: 'file_event',
    condition: linuxSysmon('file_event', 11),
    fields: { ...PROCESS_FIELDS, TargetFilename: ['TargetFilename', 'file.path'] },
  },
]

const IS_MACOS = allOf([NOT_WINDOWS, not(NOT_MACOS)])
const MACOS: Mapping[] = [
  ...Object.keys(ECS_CATEGORIES).map((category) => ({
    product: 'macos',
    category,
    condition: allOf([IS_MACOS, tellsOf(category)]),
  })),
  {
    product: 'macos',
    condition: IS_MACOS,
    fields: { ...PROCESS_FIELDS, TargetFilename: ['TargetFilename', 'file.path'] },
  },
]

/** Its one rule is the word REPLACE, which everybody writes: only what cron wrote is meant. */
const CRON: Mapping = {
  product: 'linux',
  service: 'cron',
  condition: allOf([NOT_WINDOWS, named('cron')]),
  note: 'looks at events whose source or process is named like cron',
}

/** Their rules are sentences: only what another program wrote is left out. */
const LINUX_PROGRAMS: Mapping[] = [
  ['sshd', 'ssh'],
  ['vsftpd', 'ftp'],
].map(([service = '', pattern = '']) => ({
  product: 'linux',
  service,
  condition: allOf([NOT_WINDOWS, anyOf([named(pattern), not(exists('process'))])]),
  note: `looks at events whose source or process is named like ${service}, and at those that name no process`,
}))

export const UNIX_LOGSOURCES: Mapping[] = [...LINUX, CRON, ...LINUX_PROGRAMS, ...MACOS]
