import { addressOf } from '../../addresses.ts'
import { type ParseObject, textOf } from '../../parsed.ts'
import { keptFields, numberIn } from '../../scan/kept-fields.ts'
import { momentOf } from '../../timestamps.ts'
import type { ObjectFormat } from '../log-format.ts'
import { actorOf, fileOf, KINDS, type Of } from './hunting-names.ts'

/** Streamed, all but the table's name stands under it; exported and in Sentinel nothing does. */
const STREAMED = 'properties.'
const TABLE = /^AdvancedHunting-(\w+)$/
const WINDOWS_PATH = /^(?:[a-z]:\\|\\\\|HKEY_)/i

/**
 * Rows of Defender's tables (DeviceProcessEvents, DeviceNetworkEvents …), with what Sysmon has too
 * under its names. Of Windows machines alone they are said to be of a category, by which Sigma's
 * rules for Windows find them.
 */
const read: ParseObject = (fields, { receivedAt }) => {
  const [, table] = TABLE.exec(textOf(fields.category) ?? '') ?? []
  const isStreamed = table !== undefined || Object.hasOwn(fields, `${STREAMED}ActionType`)
  const of: Of = (name) => textOf(fields[isStreamed ? STREAMED + name : name])
  const action = of('ActionType') ?? table
  if (action === undefined) return undefined
  const kind = KINDS.get(action)
  const names = kind?.names(of) ?? {}
  const paths = [of('FolderPath'), actorOf(of), of('RegistryKey')]
  const isWindows = paths.some((path) => path && WINDOWS_PATH.test(path))
  const isCreation = action === 'ProcessCreated'
  const name = isCreation ? of('FileName') : of('InitiatingProcessFileName')
  const acting = of('InitiatingProcessAccountName')
  const about = of('ProcessCommandLine') ?? textOf(names.TargetObject) ?? fileOf(of)
  const from = textOf(names.SourceIp) ?? of('RemoteIP') ?? of('IPAddress')
  return {
    source: 'defender',
    at: momentOf(of('Timestamp') ?? fields.TimeGenerated ?? fields.time, receivedAt),
    machine: of('DeviceName'),
    host: of('DeviceName'),
    message: [action, about ?? of('RemoteUrl') ?? of('RemoteIP')].filter(Boolean).join(': '),
    user: isCreation ? (of('AccountName') ?? acting) : (acting ?? of('AccountName')),
    process: name,
    event_code: action,
    src_ip: addressOf(from),
    dst_ip: addressOf(textOf(names.DestinationIp)),
    fields: keptFields({
      ...names,
      'sigma.category': isWindows ? kind?.category : undefined,
      'host.os.type': isWindows ? 'windows' : undefined,
      'event.action': action,
      'source.port': numberIn(names.SourcePort),
      'destination.port': numberIn(names.DestinationPort),
      'file.hash.md5': of('MD5'),
      'file.hash.sha1': of('SHA1'),
      'file.hash.sha256': of('SHA256'),
    }),
  }
}

export const defenderHunting: ObjectFormat = {
  id: 'microsoft.defender_hunting',
  title: 'Microsoft Defender: advanced hunting tables, streamed, exported or in Sentinel',
  group: 'endpoint',
  kind: 'object',
  ecs: 'process',
  ocsf: { class: 'process_activity', activity: 'other' },
  overrules: true,
  when: {
    // Doors have actions and names, too.
    names: [
      ['tenantId', 'category', 'operationName'],
      ...[STREAMED, ''].flatMap((prefix) => [
        [`${prefix}InitiatingProcessFileName`, `${prefix}ActionType`, `${prefix}DeviceName`],
        [`${prefix}ReportId`, `${prefix}ActionType`, `${prefix}DeviceId`],
      ]),
    ],
  },
  read,
  samples: [
    {
      event: {
        time: '2026-03-03T10:00:09.0000000Z',
        tenantId: 't1',
        operationName: 'Publish',
        category: 'AdvancedHunting-DeviceProcessEvents',
        properties: {
          Timestamp: '2026-03-03T10:00:00.1234567Z',
          DeviceId: 'd1',
          DeviceName: 'ws5.corp.example',
          ActionType: 'ProcessCreated',
          FileName: 'whoami.exe',
          FolderPath: 'C:\\Windows\\System32\\whoami.exe',
          ProcessCommandLine: '"whoami.exe" /user',
          ProcessVersionInfoOriginalFileName: 'whoami.exe',
          ProcessIntegrityLevel: 'System',
          LogonId: 999,
          AccountDomain: 'corp',
          AccountName: 'eve',
          MD5: 'ab'.repeat(16),
          InitiatingProcessFileName: 'cmd.exe',
          InitiatingProcessFolderPath: 'c:\\windows\\system32\\cmd.exe',
          InitiatingProcessCommandLine: 'cmd.exe /c whoami',
        },
      },
      expect: {
        at: '2026-03-03T10:00:00.123Z',
        source: 'defender',
        host: 'ws5.corp.example',
        message: 'ProcessCreated: "whoami.exe" /user',
        user: 'eve',
        process: 'whoami.exe',
        event_code: 'ProcessCreated',
        fields: {
          'sigma.category': 'process_creation',
          Image: 'C:\\Windows\\System32\\whoami.exe',
          CommandLine: '"whoami.exe" /user',
          ParentImage: 'c:\\windows\\system32\\cmd.exe',
          User: 'corp\\eve',
          LogonId: '0x3e7',
          Hashes: `MD5=${'ab'.repeat(16)}`,
        },
      },
    },
    {
      event: {
        TimeGenerated: '2026-03-03T10:00:00Z',
        Type: 'DeviceNetworkEvents',
        DeviceId: 'd1',
        DeviceName: 'ws5.corp.example',
        ActionType: 'ConnectionSuccess',
        LocalIP: '192.0.2.7',
        LocalPort: 50123,
        RemoteIP: '198.51.100.2',
        RemotePort: 443,
        RemoteUrl: 'https://a.example/b',
        Protocol: 'Tcp',
        InitiatingProcessFileName: 'rundll32.exe',
        InitiatingProcessFolderPath: 'c:\\windows\\system32\\rundll32.exe',
        InitiatingProcessAccountName: 'eve',
      },
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        host: 'ws5.corp.example',
        user: 'eve',
        process: 'rundll32.exe',
        src_ip: '192.0.2.7',
        dst_ip: '198.51.100.2',
        fields: {
          'sigma.category': 'network_connection',
          DestinationHostname: 'a.example',
          Initiated: 'true',
          'destination.port': 443,
        },
      },
    },
  ],
}
