import assert from 'node:assert/strict'
import { BlockList, isIP } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { cidrRegex } from './cidr.ts'

const NETWORKS: [network: string, inside: string[], outside: string[]][] = [
  [
    '10.0.0.0/8',
    ['10.255.0.1', '::ffff:10.0.0.1', '::FFFF:10.0.0.1'],
    ['11.0.0.1', '10.0.0', '010.0.0.1'],
  ],
  ['10.1.2.0/23', ['10.1.2.255', '10.1.3.0'], ['10.1.4.0', '10.1.1.255', '10.1.2.0 ']],
  ['0.0.0.0/0', ['1.2.3.4'], ['::1', 'x', '', '256.1.1.1']],
  ['fe80::/10', ['FE80::1', 'febf:0:0:0:0:0:0:1'], ['fec0::1', 'fe80::1%eth0', 'fe80:::1']],
  ['2001:db8::/32', ['2001:0db8::', '2001:DB8:1::2'], ['2001:db9::', '2001:db8']],
  ['::ffff:198.51.0.0/112', ['198.51.0.1', '::ffff:198.51.255.1'], ['198.52.0.1', '::198.51.0.1']],
  ['::FFFF:c633:0/112', ['198.51.0.1', '::ffff:c633:1'], ['198.52.0.1', '::fffe:c633:1']],
  ['::ffff:0:0/96', ['1.2.3.4', '::ffff:1.2.3.4', '::ffff:102:304'], ['::1', '::102:304']],
  ['64:ff9b::10.0.0.0/104', ['64:ff9b::a00:1'], ['10.0.0.1', '64:ff9b::b00:1']],
  ['::1/128', ['::1', '0:0:0:0:0:0:0:1', '0000::0001'], ['::2', '::1:1']],
]

for (const [network, inside, outside] of NETWORKS) {
  test(`${network} holds ${inside.join(', ')} and not ${outside.join(', ')}`, () => {
    const regex = new RegExp(cidrRegex(network) ?? assert.fail())
    for (const address of inside) assert.match(address, regex)
    for (const address of outside) assert.doesNotMatch(address, regex)
  })
}

for (const text of [
  '10.0.0.0/33',
  '10.0.0/8',
  '300.0.0.0/8',
  '::/129',
  '1::2::3/8',
  '10.0.0.0',
  'a/b',
  '10.0.0.0/08',
  '::ffff:10.0.0.0/129',
  '::ffff:10.0.0/104',
]) {
  test(`${text} is no network`, () => assert.equal(cidrRegex(text), undefined))
}

const group = fc.constantFrom('0', '00', '1', 'ffff', 'Ab', '0db8', '80')
const address = fc
  .tuple(fc.array(group, { maxLength: 8 }), fc.array(group, { maxLength: 8 }), fc.boolean())
  .map(([head, tail, isShort]) =>
    isShort ? `${head.join(':')}::${tail.join(':')}` : head.join(':'),
  )

test('IPv6 networks hold what the system says they hold', () => {
  const bits = fc.integer({ min: 1, max: 128 })
  fc.assert(
    fc.property(
      address.filter((text) => isIP(text) === 6),
      bits,
      address,
      (network, prefix, text) => {
        const list = new BlockList()
        list.addSubnet(network, prefix, 'ipv6')
        const isInside = isIP(text) === 6 && list.check(text, 'ipv6')
        assert.equal(new RegExp(cidrRegex(`${network}/${prefix}`) ?? '').test(text), isInside)
      },
    ),
    { numRuns: 100 },
  )
})
