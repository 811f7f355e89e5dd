import type { ParseObject } from '../../parsed.ts'
import { pick } from '../../parsed.ts'
import { keptFields } from '../../scan/kept-fields.ts'
import type { Of } from '../cloud/cloud-event.ts'
import type { ObjectFormat } from '../log-format.ts'
import {
  accountAs,
  hashesAs,
  registryDetailsAs,
  registryObjectAs,
  type SysmonNames,
} from './as-sysmon.ts'

type Kind = { category: string; names: (of: Of) => SysmonNames }

const hashesOf = (of: Of, what: string) =>
  hashesAs({
    MD5: of(`${what}.hash.md5`),
    SHA1: of(`${what}.hash.sha1`),
    SHA256: of(`${what}.hash.sha256`),
    IMPHASH: of(`${what}.pe.imphash`),
  })

const creation: Kind = {
  category: 'process_creation',
  names: (of) => ({
    CommandLine: of('process.command_line'),
    CurrentDirectory: of('process.working_directory'),
    OriginalFileName: of('process.pe.original_file_name'),
    Description: of('process.pe.description'),
    Product: of('process.pe.product'),
    Company: of('process.pe.company'),
    FileVersion: of('process.pe.file_version'),
    IntegrityLevel: of('process.Ext.token.integrity_level_name'),
    LogonId: of('process.Ext.authentication_id'),
    Hashes: hashesOf(of, 'process'),
    ParentImage: of('process.parent.executable'),
    ParentCommandLine: of('process.parent.command_line'),
    ParentProcessId: of('process.parent.pid'),
  }),
}

const file = (category: string): Kind => ({
  category,
  names: (of) => ({ TargetFilename: of('file.path'), Hashes: hashesOf(of, 'file') }),
})

const image = (category: string): Kind => ({
  category,
  names: (of) => ({
    ImageLoaded: of('dll.path'),
    OriginalFileName: of('dll.pe.original_file_name'),
    Signed: of('dll.code_signature.exists'),
    Signature: of('dll.code_signature.subject_name'),
    SignatureStatus: of('dll.code_signature.status')?.replace(/^trusted$/i, 'Valid'),
    Hashes: hashesOf(of, 'dll'),
  }),
})

const connection = (Initiated: string): Kind => ({
  category: 'network_connection',
  names: (of) => ({
    SourceIp: of('source.ip'),
    SourcePort: of('source.port'),
    DestinationIp: of('destination.ip'),
    DestinationPort: of('destination.port'),
    DestinationHostname: of('destination.domain'),
    Protocol: of('network.transport'),
    Initiated,
  }),
})

const query: Kind = {
  category: 'dns_query',
  names: (of) => ({ QueryName: of('dns.question.name'), QueryResults: of('dns.resolved_ip') }),
}

const registry = (category: string, EventType: string): Kind => ({
  category,
  names: (of) => ({
    EventType,
    TargetObject: registryObjectAs(of('registry.path')),
    Details: registryDetailsAs(of('registry.data.type'), of('registry.data.strings')),
  }),
})

/** By the last word of the dataset, and by the action. */
const KINDS = new Map<string, Kind>([
  ['process start', creation],
  ['file creation', file('file_event')],
  ['file overwrite', file('file_event')],
  ['file deletion', file('file_delete')],
  ['file rename', file('file_rename')],
  ['library load', image('image_load')],
  ['driver load', image('driver_load')],
  ['network connection_attempted', connection('true')],
  ['network connection_accepted', connection('false')],
  ['network lookup_requested', query],
  ['network lookup_result', query],
  ['registry modification', registry('registry_set', 'SetValue')],
  ['registry creation', registry('registry_add', 'CreateKey')],
  ['registry deletion', registry('registry_delete', 'DeleteValue')],
])

const DATASET = /^endpoint\.events\.(\w+)$/

const kindOf = (dataset: string, isDriver: boolean, action: string | undefined) =>
  KINDS.get(`${isDriver ? 'driver' : dataset} ${action}`)

/** Its names are those of ECS; what Windows does is said under Sysmon's names as well. */
const read: ParseObject = (fields) => {
  const of: Of = (...names) => pick(fields, names)
  const [, dataset] = DATASET.exec(of('event.dataset', 'data_stream.dataset') ?? '') ?? []
  if (dataset === undefined) return undefined
  const isWindows = of('host.os.type', 'host.os.family', 'host.os.platform') === 'windows'
  const isDriver = [fields['event.category']].flat().includes('driver')
  const action = of('event.action')
  const kind = isWindows ? kindOf(dataset, isDriver, action) : undefined
  const about = of('process.command_line', 'file.path', 'registry.path', 'dll.path')
  return {
    message: [action, about ?? of('dns.question.name', 'process.executable')]
      .filter(Boolean)
      .join(': '),
    fields: keptFields(
      kind
        ? {
            'sigma.category': kind.category,
            Image: of('process.executable'),
            ProcessId: of('process.pid'),
            User: accountAs(of('user.domain'), of('user.name')),
            ...kind.names(of),
          }
        : {},
    ),
  }
}

export const elasticDefend: ObjectFormat = {
  id: 'elastic.defend',
  title: 'Elastic Defend: events of processes, files, the registry and the network',
  group: 'endpoint',
  kind: 'object',
  ecs: 'process',
  ocsf: { class: 'process_activity', activity: 'other' },
  when: {
    names: [
      ['event.dataset', 'event.action', 'agent.type'],
      ['data_stream.dataset', 'event.action', 'agent.type'],
    ],
  },
  read,
  samples: [
    {
      event: {
        '@timestamp': '2026-03-03T10:00:00.000Z',
        agent: { type: 'endpoint' },
        event: {
          action: 'start',
          category: ['process'],
          type: ['start'],
          dataset: 'endpoint.events.process',
        },
        host: { name: 'ws5', os: { type: 'windows' } },
        process: {
          executable: 'C:\\Windows\\System32\\whoami.exe',
          name: 'whoami.exe',
          command_line: 'whoami /all',
          pe: { original_file_name: 'whoami.exe' },
          hash: { md5: 'ab'.repeat(16) },
          parent: { executable: 'C:\\Windows\\System32\\cmd.exe' },
        },
        user: { domain: 'CORP', name: 'eve' },
      },
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        host: 'ws5',
        message: 'start: whoami /all',
        user: 'eve',
        process: 'whoami.exe',
        fields: {
          'sigma.category': 'process_creation',
          Image: 'C:\\Windows\\System32\\whoami.exe',
          CommandLine: 'whoami /all',
          ParentImage: 'C:\\Windows\\System32\\cmd.exe',
          User: 'CORP\\eve',
          Hashes: `MD5=${'ab'.repeat(16)}`,
        },
      },
    },
  ],
}
