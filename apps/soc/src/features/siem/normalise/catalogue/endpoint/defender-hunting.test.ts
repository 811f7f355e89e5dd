import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compilePredicate } from '@manara/log-query/predicate'
import { importSigma } from '@manara/sigma/import-sigma'
import { normalise } from '../../normalise.ts'

const ruleFor = (product: string, category: string, selection: Record<string, string>) => `title: A
logsource: { product: ${product}, category: ${category} }
detection: { selection: ${JSON.stringify(selection)}, condition: selection }
`
const read = (object: Record<string, unknown>) =>
  normalise(
    { object, isEnvelope: true },
    { receivedAt: Date.UTC(2026, 5, 1), way: 'api', newId: () => 'id' },
  )

function fires(rule: string, log: ReturnType<typeof read>): boolean {
  const [imported] = importSigma([{ name: 'a.yml', content: rule }]).rules
  assert.equal(imported?.kind, 'query')
  return compilePredicate(imported.query)(log)
}

const ACTOR = {
  InitiatingProcessFileName: 'powershell.exe',
  InitiatingProcessFolderPath: 'c:\\windows\\system32\\windowspowershell\\v1.0\\powershell.exe',
  InitiatingProcessCommandLine: 'powershell.exe -nop',
  InitiatingProcessAccountDomain: 'corp',
  InitiatingProcessAccountName: 'eve',
}
const row = (ActionType: string, more: Record<string, unknown>) => ({
  ...{ Timestamp: '2026-03-03T10:00:00Z', DeviceId: 'd1', DeviceName: 'ws5', ReportId: 7 },
  ...ACTOR,
  ActionType,
  ...more,
})
const streamed = (table: string, properties: Record<string, unknown>) => ({
  ...{ time: '2026-03-03T10:00:09Z', tenantId: 't1', operationName: 'Publish' },
  category: `AdvancedHunting-${table}`,
  properties,
})

const PROCESS = row('ProcessCreated', {
  FileName: 'whoami.exe',
  FolderPath: 'C:\\Windows\\System32\\whoami.exe',
  ProcessCommandLine: '"whoami.exe" /all',
  ProcessVersionInfoOriginalFileName: 'whoami.exe',
  AccountName: 'eve',
})
const VALUE = {
  RegistryKey: 'HKEY_LOCAL_MACHINE\\SYSTEM\\ControlSet001\\Control\\Lsa',
  RegistryValueName: 'RunAsPPL',
}

const CASES: [
  category: string,
  selection: Record<string, string>,
  table: string,
  row: Record<string, unknown>,
][] = [
  [
    'process_creation',
    { 'Image|endswith': '\\whoami.exe', 'ParentImage|endswith': '\\powershell.exe' },
    'DeviceProcessEvents',
    PROCESS,
  ],
  [
    'process_creation',
    { OriginalFileName: 'whoami.exe', 'CommandLine|contains': ' /all' },
    'DeviceProcessEvents',
    PROCESS,
  ],
  [
    'file_event',
    { 'TargetFilename|endswith': '\\Startup\\a.lnk', 'Image|endswith': '\\powershell.exe' },
    'DeviceFileEvents',
    row('FileCreated', { FolderPath: 'C:\\Users\\eve\\Startup', FileName: 'a.lnk' }),
  ],
  [
    'registry_set',
    {
      'TargetObject|endswith': '\\CurrentControlSet\\Control\\Lsa\\RunAsPPL',
      Details: 'DWORD (0x00000000)',
    },
    'DeviceRegistryEvents',
    row('RegistryValueSet', { ...VALUE, RegistryValueType: 'Dword', RegistryValueData: '0' }),
  ],
  [
    'registry_event',
    { 'TargetObject|startswith': 'HKLM\\', EventType: 'DeleteValue' },
    'DeviceRegistryEvents',
    row('RegistryValueDeleted', VALUE),
  ],
  [
    'network_connection',
    { Initiated: 'true', 'DestinationHostname|endswith': '.ngrok.io' },
    'DeviceNetworkEvents',
    row('ConnectionSuccess', { RemoteUrl: 'x.ngrok.io', RemoteIP: '198.51.100.2' }),
  ],
  [
    'image_load',
    { 'ImageLoaded|endswith': '\\dbghelp.dll' },
    'DeviceImageLoadEvents',
    row('ImageLoaded', { FileName: 'dbghelp.dll', FolderPath: 'C:\\Temp\\dbghelp.dll' }),
  ],
  [
    'pipe_created',
    { PipeName: '\\msf-pipe-5902' },
    'DeviceEvents',
    row('NamedPipeEvent', {
      AdditionalFields: '{"PipeName":"\\\\Device\\\\NamedPipe\\\\msf-pipe-5902"}',
    }),
  ],
  [
    'create_remote_thread',
    { 'TargetImage|endswith': '\\lsass.exe', 'SourceImage|endswith': '\\powershell.exe' },
    'DeviceEvents',
    row('CreateRemoteThreadApiCall', {
      FileName: 'lsass.exe',
      FolderPath: 'C:\\Windows\\System32\\lsass.exe',
    }),
  ],
]

for (const [category, selection, table, event] of CASES) {
  test(`a rule for ${category} about ${Object.keys(selection).join(', ')} finds ${table}`, () => {
    const rule = ruleFor('windows', category, selection)
    for (const shape of [event, streamed(table, event), { ...event, Type: table }]) {
      const log = read(shape)
      assert.equal(log.fields._parser, 'microsoft.defender_hunting')
      assert.equal(log.host, 'ws5')
      assert.ok(fires(rule, log), JSON.stringify(log.fields))
    }
    const [first = ''] = Object.keys(selection)
    assert.ok(!fires(ruleFor('windows', category, { ...selection, [first]: 'other' }), read(event)))
  })
}

test('a machine with Linux is for the rules of Linux, one with Windows for its own', () => {
  const rule = (product: string) =>
    ruleFor(product, 'process_creation', { 'CommandLine|contains': 'whoami' })
  const linux = read(
    row('ProcessCreated', {
      FileName: 'whoami',
      FolderPath: '/usr/bin/whoami',
      InitiatingProcessFolderPath: '/usr/bin/bash',
      ProcessCommandLine: 'whoami',
    }),
  )
  const windows = read(PROCESS)
  assert.deepEqual([fires(rule('linux'), linux), fires(rule('windows'), linux)], [true, false])
  assert.deepEqual([fires(rule('linux'), windows), fires(rule('windows'), windows)], [false, true])
})

test('who connected from outside is the source', () => {
  const { src_ip, dst_ip } = read(
    row('InboundConnectionAccepted', { LocalIP: '192.0.2.7', RemoteIP: '198.51.100.2' }),
  )
  assert.deepEqual([src_ip, dst_ip], ['198.51.100.2', '192.0.2.7'])
})

test('a table that is not of devices is told by its name, and is no entry of Azure', () => {
  const { source, event_code, user, src_ip } = read(
    streamed('IdentityQueryEvents', {
      ...{ Timestamp: '2026-03-03T10:00:00Z', AccountName: 'eve', IPAddress: '192.0.2.7' },
    }),
  )
  assert.deepEqual(
    { source, event_code, user, src_ip },
    { source: 'defender', event_code: 'IdentityQueryEvents', user: 'eve', src_ip: '192.0.2.7' },
  )
  const azure = read({ tenantId: 't', category: 'SignInLogs', operationName: 'Sign-in activity' })
  assert.equal(azure.fields._parser, 'azure.monitor')
})

const OTHERS = [
  { Timestamp: '2026-03-03T10:00:00Z', ActionType: 'FileDeleted', Application: 'x' },
  { ActionType: 'opened', DeviceId: 'd7', DeviceName: 'north door' },
]
for (const other of OTHERS) {
  test(`not of Defender: ${JSON.stringify(other)}`, () => {
    assert.notEqual(read(other).fields._parser, 'microsoft.defender_hunting')
  })
}
