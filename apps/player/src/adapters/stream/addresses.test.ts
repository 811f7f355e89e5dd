import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressProblem } from './addresses.ts'

const open = [
  '127.0.0.1',
  '::1',
  '10.0.0.5',
  '192.168.1.2',
  '172.16.9.9',
  '8.8.8.8',
  'fd12::1',
  '2001:db8::1',
]

const closed = [
  '169.254.169.254',
  '169.254.0.1',
  '::ffff:169.254.169.254',
  '64:ff9b::a9fe:a9fe',
  'fe80::1',
  'febf::1',
  'fd00:ec2::254',
  '0.0.0.0',
  '0.1.2.3',
  '::',
  '224.0.0.1',
  '239.255.255.250',
  'ff02::1',
  '255.255.255.255',
  'radio.example',
  '',
]

for (const address of open)
  test(`${address} may be connected to`, () => assert.equal(addressProblem(address), undefined))

for (const address of closed)
  test(`${address || 'an empty address'} may not be connected to`, () =>
    assert.ok(addressProblem(address)))
