import { objectIn } from '../../object-in.ts'
import { textOf } from '../../parsed.ts'
import {
  accountAs,
  hashesAs,
  registryDetailsAs,
  registryObjectAs,
  type SysmonNames,
} from './as-sysmon.ts'

export type Of = (name: string) => string | undefined

/** A kind of event as Sigma's rules call it, and its data under the names that they have for it. */
type Kind = { category: string; names: (of: Of) => SysmonNames }

/** Folders mostly end with the name of the file, and sometimes not. */
function pathOf(folder: string | undefined, file: string | undefined) {
  if (!folder || !file || folder.toLowerCase().endsWith(file.toLowerCase())) return folder ?? file
  const between = folder.includes('\\') ? '\\' : '/'
  return folder.endsWith(between) ? folder + file : folder + between + file
}

export const fileOf = (of: Of) => pathOf(of('FolderPath'), of('FileName'))
export const actorOf = (of: Of) =>
  pathOf(of('InitiatingProcessFolderPath'), of('InitiatingProcessFileName'))

const actingUser = (of: Of) =>
  accountAs(of('InitiatingProcessAccountDomain'), of('InitiatingProcessAccountName'))

const hashesOf = (of: Of) => hashesAs({ MD5: of('MD5'), SHA1: of('SHA1'), SHA256: of('SHA256') })

function hexOf(number: string | undefined) {
  return number && /^\d{1,15}$/.test(number) ? `0x${Number(number).toString(16)}` : number
}

const creation: Kind = {
  category: 'process_creation',
  names: (of) => ({
    Image: fileOf(of),
    CommandLine: of('ProcessCommandLine'),
    ProcessId: of('ProcessId'),
    OriginalFileName: of('ProcessVersionInfoOriginalFileName'),
    Description: of('ProcessVersionInfoFileDescription'),
    Product: of('ProcessVersionInfoProductName'),
    Company: of('ProcessVersionInfoCompanyName'),
    FileVersion: of('ProcessVersionInfoProductVersion'),
    IntegrityLevel: of('ProcessIntegrityLevel'),
    LogonId: hexOf(of('LogonId')),
    User: accountAs(of('AccountDomain'), of('AccountName')),
    Hashes: hashesOf(of),
    ParentImage: actorOf(of),
    ParentCommandLine: of('InitiatingProcessCommandLine'),
    ParentProcessId: of('InitiatingProcessId'),
    ParentUser: actingUser(of),
  }),
}

const byActor = (of: Of): SysmonNames => ({
  Image: actorOf(of),
  ProcessId: of('InitiatingProcessId'),
  User: actingUser(of),
})

const file = (category: string): Kind => ({
  category,
  names: (of) => ({ ...byActor(of), TargetFilename: fileOf(of), Hashes: hashesOf(of) }),
})

const image = (category: string): Kind => ({
  category,
  names: (of) => ({ ...byActor(of), ImageLoaded: fileOf(of), Hashes: hashesOf(of) }),
})

/** `https://a.example/b` and `a.example` are both of the host. */
const hostIn = (url: string | undefined) =>
  url?.replace(/^[a-z][a-z\d+.-]*:\/\//i, '').split(/[/?#]/, 1)[0]

const HERE = ['LocalIP', 'LocalPort'] as const
const THERE = ['RemoteIP', 'RemotePort'] as const

const connection = (isInbound: boolean): Kind => ({
  category: 'network_connection',
  names: (of) => {
    const [from, to] = isInbound ? [THERE, HERE] : [HERE, THERE]
    return {
      ...byActor(of),
      SourceIp: of(from[0]),
      SourcePort: of(from[1]),
      DestinationIp: of(to[0]),
      DestinationPort: of(to[1]),
      DestinationHostname: isInbound ? undefined : hostIn(of('RemoteUrl')),
      Protocol: of('Protocol')?.toLowerCase(),
      Initiated: String(!isInbound),
    }
  },
})

const registry = (category: string, EventType: string): Kind => ({
  category,
  names: (of) => ({
    ...byActor(of),
    EventType,
    TargetObject: registryObjectAs(of('RegistryKey'), of('RegistryValueName')),
    Details: registryDetailsAs(of('RegistryValueType'), of('RegistryValueData')),
  }),
})

/** What a kind of event has beside the columns, as JSON in a text. */
const besides = (of: Of, name: string) =>
  textOf(objectIn(of('AdditionalFields') ?? '')?.[name]) ?? of(`AdditionalFields.${name}`)

const pipe: Kind = {
  category: 'pipe_created',
  names: (of) => ({
    ...byActor(of),
    PipeName: besides(of, 'PipeName')?.replace(/^\\Device\\NamedPipe(?=\\)/i, ''),
  }),
}

const query: Kind = {
  category: 'dns_query',
  names: (of) => ({ ...byActor(of), QueryName: besides(of, 'DnsQueryString') }),
}

const thread: Kind = {
  category: 'create_remote_thread',
  names: (of) => ({
    SourceImage: actorOf(of),
    SourceProcessId: of('InitiatingProcessId'),
    SourceUser: actingUser(of),
    TargetImage: fileOf(of),
    TargetProcessId: of('ProcessId'),
  }),
}

/** By what the tables call an action. */
export const KINDS = new Map<string, Kind>([
  ['ProcessCreated', creation],
  ['ImageLoaded', image('image_load')],
  ['DriverLoad', image('driver_load')],
  ['FileCreated', file('file_event')],
  ['FileDeleted', file('file_delete')],
  ['FileRenamed', file('file_rename')],
  ['ConnectionSuccess', connection(false)],
  ['ConnectionAttempt', connection(false)],
  ['ConnectionRequest', connection(false)],
  ['ConnectionFound', connection(false)],
  ['ConnectionFailed', connection(false)],
  ['InboundConnectionAccepted', connection(true)],
  ['RegistryKeyCreated', registry('registry_add', 'CreateKey')],
  ['RegistryKeyDeleted', registry('registry_delete', 'DeleteKey')],
  ['RegistryKeyRenamed', registry('registry_rename', 'RenameKey')],
  ['RegistryValueDeleted', registry('registry_delete', 'DeleteValue')],
  ['RegistryValueSet', registry('registry_set', 'SetValue')],
  ['CreateRemoteThreadApiCall', thread],
  ['NamedPipeEvent', pipe],
  ['DnsQueryResponse', query],
])
