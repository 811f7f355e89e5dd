import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressKind, isIn, networkList } from './addresses.ts'

const KINDS: [address: string, kind: ReturnType<typeof addressKind>][] = [
  ['8.8.8.8', undefined],
  ['2606:4700::1111', undefined],
  ['169.254.169.254', 'link-local'],
  ['::ffff:169.254.169.254', 'link-local'],
  ['fe80::1', 'link-local'],
  ['fd00:ec2::254', 'link-local'],
  ['64:ff9b::a9fe:a9fe', 'link-local'],
  ['0.0.0.0', 'unspecified'],
  ['::', 'unspecified'],
  ['224.0.0.1', 'multicast'],
  ['ff02::1', 'multicast'],
  ['255.255.255.255', 'broadcast'],
  ['127.0.0.1', 'private'],
  ['::1', 'private'],
  ['::ffff:127.0.0.1', 'private'],
  ['10.1.2.3', 'private'],
  ['100.64.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['172.32.0.0', undefined],
  ['192.168.1.1', 'private'],
  ['fd12::1', 'private'],
  ['fec0::1', 'private'],
  ['192.0.2.1', 'reserved'],
  ['198.19.0.1', 'reserved'],
  ['240.0.0.1', 'reserved'],
  ['2001:db8::1', 'reserved'],
  ['2001:0:1::1', 'reserved'],
  ['2002:7f00:1::', 'reserved'],
  ['64:ff9b::7f00:1', 'reserved'],
  ['64:ff9b::10.1.2.3', 'reserved'],
  ['64:ff9b::', 'reserved'],
  ['64:ff9b::1', 'reserved'],
  ['64:ff9b::8.8.8.8', undefined],
  ['64:ff9b:0:0:0:0:8c52:7903', undefined],
  ['::ffff:0:127.0.0.1', 'reserved'],
  ['::ffff:8.8.8.8', undefined],
  ['::7f00:1', 'reserved'],
  ['240.radio.example', 'no address'],
  ['', 'no address'],
]

for (const [address, kind] of KINDS) {
  test(`${address || 'nothing'} is ${kind ?? 'of the open internet'}`, () => {
    assert.equal(addressKind(address), kind)
  })
}

test('a network holds its addresses, also as IPv6 writes them', () => {
  const list = networkList('10.0.0.0/8', 'fd00::/8')
  const found = ['10.9.9.9', '::ffff:10.9.9.9', 'fd00::1', '11.0.0.1', 'fe00::1']
  assert.deepEqual(
    found.map((address) => isIn(list, address)),
    [true, true, true, false, false],
  )
})
