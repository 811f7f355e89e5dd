import type { Of } from '../cloud/cloud-event.ts'
import {
  accountAs,
  hashesAs,
  registryDetailsAs,
  registryObjectAs,
  type SysmonNames,
} from './as-sysmon.ts'

/** `category` is Sigma's name of a kind of event, `ecs` that of the Elastic Common Schema. */
type Kind = { category: string; ecs: string; names: (of: Of) => SysmonNames }

/** Which letter a volume has is not said: nearly always it is the one that Windows is on. */
const pathAs = (path: string | undefined) =>
  path?.replace(/^\\Device\\HarddiskVolume\d+(?=\\)/i, 'C:').replace(/^\\Device\\Mup(?=\\)/i, '\\')

/** Of other processes there often is the file's name alone, and rules ask how a path ends. */
function imageAs(of: Of, path: string, name: string) {
  const file = of(name)
  if (of(path) !== undefined || file === undefined) return pathAs(of(path))
  return of('event_platform') === 'Win' ? `\\${file}` : `/${file}`
}

const actorOf = (of: Of) => imageAs(of, 'ContextImageFileName', 'ContextBaseFileName')
const userOf = (of: Of) => accountAs(of('UserDomain'), of('UserName'))
const hashesOf = (of: Of) =>
  hashesAs({ MD5: of('MD5HashData'), SHA1: of('SHA1HashData'), SHA256: of('SHA256HashData') })

const LEVELS = new Map([
  ['4096', 'low'],
  ['8192', 'medium'],
  ['12288', 'high'],
  ['16384', 'system'],
])

const creation: Kind = {
  category: 'process_creation',
  ecs: 'process',
  names: (of) => ({
    Image: imageAs(of, 'ImageFileName', 'FileName'),
    OriginalFileName: of('OriginalFilename'),
    ProcessId: of('RawProcessId'),
    'process.Ext.token.integrity_level_name': LEVELS.get(of('IntegrityLevel') ?? ''),
    User: userOf(of),
    Hashes: hashesOf(of),
    ParentImage: imageAs(of, 'ParentImageFileName', 'ParentBaseFileName'),
  }),
}

const connection = (isInbound: boolean): Kind => ({
  category: 'network_connection',
  ecs: 'network',
  names: (of) => {
    const [from, to] = isInbound ? ['Remote', 'Local'] : ['Local', 'Remote']
    const address = (side: string) => of(`${side}AddressIP4`, `${side}AddressIP6`)
    return {
      Image: actorOf(of),
      User: userOf(of),
      SourceIp: address(from),
      SourcePort: of(`${from}Port`),
      DestinationIp: address(to),
      DestinationPort: of(`${to}Port`),
      Initiated: String(!isInbound),
    }
  },
})

const query: Kind = {
  category: 'dns_query',
  ecs: 'network',
  names: (of) => ({
    Image: actorOf(of),
    QueryName: of('DomainName'),
    QueryResults: of('IP4Records', 'IP6Records'),
  }),
}

const file = (category: string): Kind => ({
  category,
  ecs: 'file',
  names: (of) => ({
    Image: actorOf(of),
    User: userOf(of),
    TargetFilename: pathAs(of('TargetFileName')),
    Hashes: hashesOf(of),
  }),
})

const image = (category: string, ecs: string): Kind => ({
  category,
  ecs,
  names: (of) => ({
    Image: pathAs(of('TargetImageFileName')),
    ImageLoaded: pathAs(of('ImageFileName')),
    OriginalFileName: of('OriginalFilename'),
    Hashes: hashesOf(of),
  }),
})

const VALUE_TYPES = new Map([
  ['3', 'binary'],
  ['4', 'dword'],
  ['11', 'qword'],
])

const value: Kind = {
  category: 'registry_set',
  ecs: 'registry',
  names: (of) => ({
    Image: actorOf(of),
    User: userOf(of),
    TargetObject: registryObjectAs(of('RegObjectName'), of('RegValueName')),
    Details: registryDetailsAs(
      VALUE_TYPES.get(of('RegType') ?? ''),
      of('RegStringValue', 'RegNumericValue', 'RegBinaryValue'),
    ),
  }),
}

/** By what the sensor calls an event, without the version that may follow. */
const KINDS: [RegExp, Kind][] = [
  [/^(?:Synthetic)?ProcessRollup2/, creation],
  [/^NetworkConnectIP[46]/, connection(false)],
  [/^NetworkReceiveAcceptIP[46]/, connection(true)],
  [/^DnsRequest/, query],
  [/^(?:\w+File|NewExecutable|NewScript)Written/, file('file_event')],
  [/^(?:ExecutableDeleted|FileDeleteInfo)/, file('file_delete')],
  [/^ClassifiedModuleLoad/, image('image_load', 'library')],
  [/^DriverLoad/, image('driver_load', 'driver')],
  [/^(?:Asep|Reg\w+)ValueUpdate/, value],
]

export const kindOf = (name: string | undefined) =>
  name === undefined ? undefined : KINDS.find(([is]) => is.test(name))?.[1]
