import type { Fields } from '../../fields.ts'
import { textOf } from '../../parsed.ts'
import { keptFields } from '../../scan/kept-fields.ts'

type Of = (name: string) => string | undefined

const SECURITY = 'Microsoft-Windows-Security-Auditing'
const SYSMON = 'Microsoft-Windows-Sysmon'
const operational = (provider: string): [string, string] => [provider, `${provider}/Operational`]

/** Where a provider writes to, of those that write to one channel. */
const CHANNELS = new Map([
  operational(SYSMON),
  operational('Microsoft-Windows-PowerShell'),
  operational('Microsoft-Windows-Windows Defender'),
  operational('Microsoft-Windows-TaskScheduler'),
  operational('Microsoft-Windows-WMI-Activity'),
  operational('Microsoft-Windows-Bits-Client'),
  operational('Microsoft-Windows-TerminalServices-LocalSessionManager'),
  ['PowerShellCore', 'PowerShellCore/Operational'],
  ['PowerShell', 'Windows PowerShell'],
  ['Service Control Manager', 'System'],
  [SECURITY, 'Security'],
])

/** For events that say only who wrote them. */
export function channelOf(provider: string | undefined, code: string | undefined) {
  if (provider === 'Microsoft-Windows-Eventlog') return code === '1102' ? 'Security' : 'System'
  return CHANNELS.get(provider ?? '')
}

const PROCESS = {
  CommandLine: 'process.command_line',
  CurrentDirectory: 'process.working_directory',
  ProcessId: 'process.pid',
  ProcessGuid: 'process.entity_id',
  ParentImage: 'process.parent.executable',
  ParentCommandLine: 'process.parent.command_line',
  ParentProcessId: 'process.parent.pid',
  ParentProcessGuid: 'process.parent.entity_id',
  RuleName: 'rule.name',
}
const NETWORK = {
  SourceIp: 'source.ip',
  SourcePort: 'source.port',
  SourceHostname: 'source.domain',
  DestinationIp: 'destination.ip',
  DestinationPort: 'destination.port',
  DestinationHostname: 'destination.domain',
  Protocol: 'network.transport',
}
const INITIATED = new Map([
  ['egress', 'true'],
  ['outbound', 'true'],
  ['ingress', 'false'],
  ['inbound', 'false'],
])
const REGISTRY = { TargetObject: 'registry.path', Details: 'registry.data.strings' }
const LOADED = {
  ImageLoaded: ['dll.path', 'file.path'],
  Signature: 'file.code_signature.subject_name',
  SignatureStatus: 'file.code_signature.status',
  Signed: 'file.code_signature.signed',
}

/** What of Sysmon stands where, by the number of the event. */
const BY_CODE: Record<string, Record<string, string | string[]>> = {
  3: NETWORK,
  6: LOADED,
  7: LOADED,
  8: { SourceImage: 'process.executable' },
  10: { SourceImage: 'process.executable' },
  12: REGISTRY,
  13: REGISTRY,
  14: REGISTRY,
  17: { PipeName: 'file.name' },
  18: { PipeName: 'file.name' },
  22: { QueryName: 'dns.question.name', QueryResults: 'dns.answers.data' },
}
const FILE = { TargetFilename: 'file.path' }

const PARTS = {
  OriginalFileName: 'original_file_name',
  Description: 'description',
  Company: 'company',
  Product: 'product',
  FileVersion: 'file_version',
}

/** An event that has nothing but the names of ECS, under the names of Windows. */
export function namesOfEcs(fields: Fields, code = ''): Fields {
  const of: Of = (name) => textOf(fields[name])
  const provider = of('event.provider')
  if (provider === SYSMON) return sysmonNames(of, code)
  if (provider === SECURITY) return securityNames(of, code)
  return keptFields({
    ScriptBlockText: of('powershell.file.script_block_text'),
    ScriptBlockId: of('powershell.file.script_block_id'),
    Path: of('file.path'),
  })
}

function sysmonNames(of: Of, code: string): Fields {
  const named: Record<string, string | undefined> = { Image: of('process.executable') }
  for (const [name, place] of Object.entries({ ...PROCESS, ...(BY_CODE[code] ?? FILE) })) {
    named[name] = [place].flat().map(of).find(Boolean)
  }
  for (const [name, part] of Object.entries(PARTS)) {
    named[name] = of(`process.pe.${part}`) ?? of(`file.pe.${part}`) ?? of(`dll.pe.${part}`)
  }
  const Initiated = code === '3' ? INITIATED.get(of('network.direction') ?? '') : undefined
  return keptFields({ ...named, Initiated, User: userOf(of), Hashes: hashesOf(of) })
}

function userOf(of: Of) {
  const [domain, name] = [of('user.domain'), of('user.name')]
  return domain && name ? `${domain}\\${name}` : name
}

/** As Sysmon writes them: `MD5=…,SHA256=…`. */
function hashesOf(of: Of) {
  const found = ['md5', 'sha1', 'sha256', 'imphash'].flatMap((kind) => {
    const places = [`process.hash.${kind}`, `file.hash.${kind}`, `dll.hash.${kind}`, `hash.${kind}`]
    const pe = kind === 'imphash' ? ['process.pe.imphash', 'file.pe.imphash'] : []
    const hash = [...places, ...pe].map(of).find(Boolean)
    return hash ? [`${kind.toUpperCase()}=${hash}`] : []
  })
  return found.join(',') || undefined
}

const LOGONS = new Set(['4624', '4625', '4634', '4647', '4768', '4769', '4771', '4776'])

function securityNames(of: Of, code: string): Fields {
  const who = LOGONS.has(code) ? 'Target' : 'Subject'
  const isCreation = code === '4688'
  return keptFields({
    [`${who}UserName`]: of('user.name'),
    [`${who}DomainName`]: of('user.domain'),
    [`${who}UserSid`]: of('user.id'),
    [isCreation ? 'NewProcessName' : 'ProcessName']: of('process.executable'),
    ParentProcessName: of('process.parent.executable'),
    CommandLine: of('process.command_line'),
    IpAddress: of('source.ip'),
    IpPort: of('source.port'),
    WorkstationName: of('source.domain'),
    ServiceName: of('service.name'),
  })
}
