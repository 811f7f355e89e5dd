import type { FieldValue } from '@manara/log-query/event'
import { objectIn } from '../../object-in.ts'
import { textOf } from '../../parsed.ts'

export type Of = (name: string) => string | undefined
type Names = Record<string, FieldValue | undefined>

/** A kind of event as Sigma's rules call it, and its data under the names that they have for it. */
type Kind = { category: string; names: (of: Of) => Names }

/** Folders mostly end with the name of the file, and sometimes not. */
function pathOf(folder: string | undefined, file: string | undefined) {
  if (!folder || !file || folder.toLowerCase().endsWith(file.toLowerCase())) return folder ?? file
  const between = folder.includes('\\') ? '\\' : '/'
  return folder.endsWith(between) ? folder + file : folder + between + file
}

export const fileOf = (of: Of) => pathOf(of('FolderPath'), of('FileName'))
export const actorOf = (of: Of) =>
  pathOf(of('InitiatingProcessFolderPath'), of('InitiatingProcessFileName'))

const accountOf = (domain: string | undefined, name: string | undefined) =>
  domain && name ? `${domain}\\${name}` : name

const actingUser = (of: Of) =>
  accountOf(of('InitiatingProcessAccountDomain'), of('InitiatingProcessAccountName'))

/** As Sysmon writes them: `MD5=…,SHA256=…`. */
function hashesOf(of: Of) {
  const found = ['MD5', 'SHA1', 'SHA256'].flatMap((kind) => {
    const hash = of(kind)
    return hash ? [`${kind}=${hash}`] : []
  })
  return found.join(',') || undefined
}

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
    User: accountOf(of('AccountDomain'), of('AccountName')),
    Hashes: hashesOf(of),
    ParentImage: actorOf(of),
    ParentCommandLine: of('InitiatingProcessCommandLine'),
    ParentProcessId: of('InitiatingProcessId'),
    ParentUser: actingUser(of),
  }),
}

const byActor = (of: Of): Names => ({
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

const HIVES: [RegExp, string][] = [
  [/^HKEY_LOCAL_MACHINE\b/i, 'HKLM'],
  [/^HKEY_CURRENT_USER\\(?=S-1-)/i, 'HKU\\'],
  [/^HKEY_CURRENT_USER\b/i, 'HKCU'],
  [/^HKEY_USERS\b/i, 'HKU'],
  [/^HKEY_CLASSES_ROOT\b/i, 'HKCR'],
  [/^(HKLM\\SYSTEM\\)ControlSet00\d\b/i, '$1CurrentControlSet'],
]

function objectOf(of: Of) {
  const key = HIVES.reduce((text, [is, as]) => text?.replace(is, as), of('RegistryKey'))
  const value = of('RegistryValueName')
  return key && value ? `${key}\\${value}` : key
}

/** Sysmon writes numbers as `DWORD (0x00000001)`. */
function detailsOf(of: Of) {
  const data = of('RegistryValueData')
  const hex = /^\d{1,20}$/.test(data ?? '') ? BigInt(data ?? 0).toString(16) : undefined
  switch (of('RegistryValueType')?.toLowerCase()) {
    case 'dword':
      return hex === undefined ? data : `DWORD (0x${hex.padStart(8, '0')})`
    case 'qword': {
      const all = hex?.padStart(16, '0')
      return all === undefined ? data : `QWORD (0x${all.slice(0, -8)}-0x${all.slice(-8)})`
    }
    case 'binary':
      return 'Binary Data'
    default:
      return data
  }
}

const registry = (category: string, EventType: string): Kind => ({
  category,
  names: (of) => ({
    ...byActor(of),
    EventType,
    TargetObject: objectOf(of),
    Details: detailsOf(of),
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
