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
  if (provider === EVENTLOG) return code === '1102' ? 'Security' : 'System'
  return CHANNELS.get(provider ?? '')
}

const PROVIDERS = new Map([...CHANNELS].map(([provider, channel]) => [channel, provider]))
export const EVENTLOG = 'Microsoft-Windows-Eventlog'
/** Of the logs that many write to, the numbers that one provider alone is known for. */
const PROVIDERS_BY_CODE: [log: string, codes: RegExp, provider: string][] = [
  ['Security', /^11\d\d$/, EVENTLOG],
  ['System', /^70[0-4]\d$/, 'Service Control Manager'],
  ['System', /^104$/, EVENTLOG],
  ['System', /./, ''],
  ['Application', /^1000$/, 'Application Error'],
  ['Application', /^(?:10(?:33|34|40|42)|11707|11724)$/, 'MsiInstaller'],
]

/** For events that say only which log they are of. */
export function providerOf(channel = '', code = '') {
  const named = PROVIDERS_BY_CODE.find(([log, codes]) => log === channel && codes.test(code))
  return named ? named[2] : PROVIDERS.get(channel)
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

const PROVIDER_OF_BEATS = ['event.provider', 'winlog.provider_name']
/** An export has the columns that somebody chose: the provider is often not among them. */
export const isOfBeats = (fields: Fields) =>
  [...PROVIDER_OF_BEATS, 'winlog.channel'].some((name) => Object.hasOwn(fields, name))

type Beat = { code: string | undefined; provider: string | undefined; isLifted: boolean }

/**
 * The names of ECS, under those of Windows: what Elastic knows a name for it moves there, and leaves
 * the rest among the event's data.
 */
export function namesOfEcs(fields: Fields, { code = '', isLifted, ...told }: Beat): Fields {
  const of: Of = (name) => textOf(fields[name])
  const provider = PROVIDER_OF_BEATS.map(of).find(Boolean) ?? told.provider
  if (provider === SYSMON) return sysmonNames(of, code)
  if (provider === SECURITY) return securityNames(of, code, isLifted)
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

function securityNames(of: Of, code: string, isLifted: boolean): Fields {
  const who = LOGONS.has(code) ? 'Target' : 'Subject'
  const isCreation = code === '4688'
  return keptFields({
    // Whose they are the event's own data says where it is there.
    ...(isLifted
      ? {}
      : {
          [`${who}UserName`]: of('user.name'),
          [`${who}DomainName`]: of('user.domain'),
          [`${who}UserSid`]: of('user.id'),
        }),
    [isCreation ? 'NewProcessName' : 'ProcessName']: of('process.executable'),
    ParentProcessName: of('process.parent.executable'),
    CommandLine: of('process.command_line'),
    IpAddress: of('source.ip'),
    IpPort: of('source.port'),
    WorkstationName: of('source.domain'),
    ServiceName: of('service.name'),
  })
}
