import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredLog } from '../../../ports/log-store.ts'
import { storedLog } from '../../../testing/stored-log.ts'
import { indicatorsOf } from './indicators.ts'

const MD5 = '44d88612fea8a8f36de82e1278abb02f'
const SHA256 = '275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f'

const examples: [string, Partial<StoredLog>, string[]][] = [
  ['addresses', { src_ip: '203.0.113.7', dst_ip: '2001:db8::1' }, ['203.0.113.7', '2001:db8::1']],
  ['only the other end', { src_ip: '10.0.0.5', dst_ip: '203.0.113.7' }, ['203.0.113.7']],
  ['both inside', { src_ip: '10.0.0.5', dst_ip: '10.0.0.9' }, ['10.0.0.5', '10.0.0.9']],
  [
    'whom a program called',
    { src_ip: '10.0.0.5', dst_ip: '10.0.0.9', fields: { Initiated: 'true' } },
    ['10.0.0.9'],
  ],
  [
    'no import hash',
    { fields: { Hashes: `MD5=${MD5},IMPHASH=${'a'.repeat(32)}`, Imphash: 'b'.repeat(32) } },
    [MD5],
  ],
  ["not the parent's", { fields: { 'process.parent.hash.sha256': SHA256, ParentHashes: MD5 } }, []],
  [
    'no program of the system, wherever it lies',
    {
      fields: {
        Image: 'C:\\Users\\ann\\x.exe',
        Company: 'Microsoft Corporation',
        Hashes: `SHA256=${SHA256}`,
      },
    },
    [],
  ],
  [
    'a program in a folder of the system that does not say who made it',
    { fields: { Image: 'C:\\Windows\\System32\\evil.exe', Company: '-', Hashes: `MD5=${MD5}` } },
    [MD5],
  ],
  [
    'a library that is not signed',
    {
      fields: {
        Image: 'C:\\Windows\\System32\\rundll32.exe',
        ImageLoaded: 'C:\\Windows\\Temp\\x.dll',
        Company: 'Microsoft Corporation',
        Signed: 'false',
        Hashes: `MD5=${MD5}`,
      },
    },
    [MD5],
  ],
  ['no name of the own network', { fields: { QueryName: 'wpad.corp.local' } }, []],
  ['not the own machine', { src_ip: '127.0.0.1', dst_ip: '::1' }, []],
  ['not what is no address', { src_ip: 'LOCAL', dst_ip: '-' }, []],
  [
    "Sysmon's hashes",
    { fields: { Hashes: `MD5=${MD5.toUpperCase()},SHA256=${SHA256}` } },
    [MD5, SHA256],
  ],
  ['a hash of ECS', { fields: { 'file.hash.sha256': SHA256 } }, [SHA256]],
  [
    'no hash of an empty file',
    {
      fields: {
        Hashes:
          'MD5=D41D8CD98F00B204E9800998ECF8427E,SHA1=DA39A3EE5E6B4B0D3255BFEF95601890AFD80709,SHA256=E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855',
      },
    },
    [],
  ],
  ['no hash elsewhere', { fields: { session: MD5 } }, []],
  ['a domain that was asked for', { fields: { QueryName: 'C2.example' } }, ['c2.example']],
  ['no domain in other words', { fields: { query: 'SELECT 1', host: 'web.example' } }, []],
]

for (const [what, log, found] of examples) {
  test(`indicators: ${what}`, () => assert.deepEqual(indicatorsOf(storedLog(log)), found))
}
