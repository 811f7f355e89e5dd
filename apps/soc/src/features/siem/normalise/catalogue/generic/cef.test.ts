import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCef } from './cef.ts'

const receivedAt = Date.UTC(2026, 0, 1)
const parse = (line: string) => parseCef(line, { receivedAt })

test('header and extension, with their escapes and values with spaces', () => {
  const line =
    'CEF:0|Acme\\|Sec|Fire\\\\wall|1.0|100|worm stopped|10|src=10.0.0.1 dst=2.1.2.2 spt=1232 suser=jane doe msg=a\\=b\\nnext rt=1577836800000 cs1Label=Policy cs1=All of it'
  assert.deepEqual(parse(line), {
    source: 'cef',
    at: 1_577_836_800_000,
    host: undefined,
    machine: undefined,
    severity: 'critical',
    user: 'jane doe',
    process: undefined,
    event_code: '100',
    src_ip: '10.0.0.1',
    dst_ip: '2.1.2.2',
    fields: {
      deviceVendor: 'Acme|Sec',
      deviceProduct: 'Fire\\wall',
      deviceVersion: '1.0',
      deviceEventClassId: '100',
      name: 'worm stopped',
      severity: '10',
      src: '10.0.0.1',
      dst: '2.1.2.2',
      spt: '1232',
      suser: 'jane doe',
      msg: 'a=b\nnext',
      rt: '1577836800000',
      cs1Label: 'Policy',
      cs1: 'All of it',
      'rule.name': 'worm stopped',
      'source.port': 1232,
    },
  })
})

const EXAMPLES: [line: string, found: object][] = [
  ['fw1 CEF:1|A|B|1|7|n|Medium|', { severity: 'medium', event_code: '7' }],
  ['CEF:0|A|B|1|7|n|3', { severity: 'low', fields: { name: 'n' } }],
  [
    'CEF:0|A|B|1|7|n|3|dvchost=gate shost=pc act=blocked',
    { host: 'gate', fields: { act: 'blocked' } },
  ],
  [
    'CEF:0|Microsoft|Microsoft Windows||Microsoft-Windows-Security-Auditing:4625|Failed.|Medium|externalId=4625 dhost=PC1 duser=eve src=192.0.2.7 cn1Label=LogonType cn1=3',
    {
      fields: {
        ...{ EventID: '4625', Channel: 'Security', TargetUserName: 'eve', LogonType: '3' },
        ...{ Provider_Name: 'Microsoft-Windows-Security-Auditing', IpAddress: '192.0.2.7' },
      },
    },
  ],
  [
    'CEF:0|NXLog|NXLog|2.10|1|Process Create|7|externalId=1 SourceName=Microsoft-Windows-Sysmon Image=C:\\\\cmd.exe',
    {
      fields: {
        ...{ EventID: '1', Channel: 'Microsoft-Windows-Sysmon/Operational', Image: 'C:\\cmd.exe' },
      },
    },
  ],
]

for (const [line, found] of EXAMPLES) {
  test(line, () => assert.partialDeepStrictEqual(parse(line), found))
}

test('a header that is cut off is no CEF', () => assert.equal(parse('CEF:0|A|B|1'), undefined))
