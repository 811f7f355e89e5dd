import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LogRecord } from '@manara/log-query/event'
import { storedLog } from '../../testing/stored-log.ts'
import { createSieve } from './device-sieve.ts'
import { readSightings } from './read-sightings.ts'

const log = (rest: Partial<LogRecord>): LogRecord => ({
  ...{ id: 'l1', at: 1_772_452_800_000, source: 'zeek', host: null, severity: 'info', message: '' },
  ...{ user: null, process: null, event_code: null, src_ip: null, dst_ip: null, fields: {} },
  ...rest,
})

const between = { 'id.orig_h': '10.1.2.5', 'id.resp_h': '10.1.3.7', 'id.resp_p': 502 }

/** `address type` of every device, and `from > to command` of a write. */
function told(rest: Partial<LogRecord>): string[] {
  const { devices, write } = readSightings(log(rest))
  return [
    ...devices.map((one) =>
      [one.address, one.mac, one.hostname, one.device_type].filter(Boolean).join(' '),
    ),
    ...(write ? [`${write.from} > ${write.to} ${write.command}`] : []),
  ]
}

const CASES: [string, Partial<LogRecord>, string[]][] = [
  [
    'Zeek modbus.log, a write',
    { fields: { _path: 'modbus', ...between, func: 'WRITE_SINGLE_REGISTER' } },
    ['10.1.3.7 plc', '10.1.2.5 modbus-client', '10.1.2.5 > 10.1.3.7 WRITE_SINGLE_REGISTER'],
  ],
  [
    'Zeek modbus.log, a read',
    { fields: { _path: 'modbus', ...between, func: 'READ_HOLDING_REGISTERS' } },
    ['10.1.3.7 plc', '10.1.2.5 modbus-client'],
  ],
  [
    'Suricata modbus, by its columns',
    {
      source: 'suricata',
      src_ip: '10.1.2.5',
      dst_ip: '10.1.3.7',
      fields: { event_type: 'modbus', 'modbus.request.access_type': 'WRITE|SINGLE|HOLDING' },
    },
    ['10.1.3.7 plc', '10.1.2.5 modbus-client', '10.1.2.5 > 10.1.3.7 WRITE|SINGLE|HOLDING'],
  ],
  [
    'Zeek dnp3.log',
    { fields: { _path: 'dnp3', ...between, fc_request: 'DIRECT_OPERATE', fc_reply: 'RESPONSE' } },
    ['10.1.3.7 rtu', '10.1.2.5 dnp3-client', '10.1.2.5 > 10.1.3.7 DIRECT_OPERATE'],
  ],
  [
    's7comm by the number of its function',
    { fields: { _path: 's7comm', ...between, function_code: 5 } },
    ['10.1.3.7 plc', '10.1.2.5 s7-client', '10.1.2.5 > 10.1.3.7 5'],
  ],
  [
    'BACnet',
    { fields: { _path: 'bacnet', ...between, pdu_service: 'WritePropertyMultiple' } },
    [
      '10.1.3.7 building-controller',
      '10.1.2.5 bacnet-client',
      '10.1.2.5 > 10.1.3.7 WritePropertyMultiple',
    ],
  ],
  [
    'OPC UA: an answer is no command',
    { fields: { _path: 'opcua_binary', ...between, identifier_str: 'WriteResponse' } },
    ['10.1.3.7 opc-ua-server', '10.1.2.5 opcua-client'],
  ],
  [
    'MQTT: a client has a name',
    { fields: { _path: 'mqtt_connect', ...between, client_id: 'gauge-4' } },
    ['10.1.3.7 mqtt-broker', '10.1.2.5 gauge-4 mqtt-client'],
  ],
  [
    'Sparkplug commands',
    { fields: { _path: 'mqtt_publish', ...between, topic: 'spBv1.0/plant/NCMD/press' } },
    [
      '10.1.3.7 mqtt-broker',
      '10.1.2.5 mqtt-client',
      '10.1.2.5 > 10.1.3.7 spBv1.0/plant/NCMD/press',
    ],
  ],
  [
    'Zeek dhcp.log',
    {
      fields: {
        _path: 'dhcp',
        mac: '00-1B-1B-AA-00-01',
        assigned_addr: '10.1.3.9',
        host_name: 'hmi-2',
      },
    },
    ['10.1.3.9 00:1b:1b:aa:00:01 hmi-2 host'],
  ],
  [
    'ISC dhcpd',
    {
      source: 'syslog',
      process: 'dhcpd',
      message: 'DHCPACK on 10.1.3.9 to 00:1b:1b:aa:00:01 (hmi-2) via eth0',
    },
    ['10.1.3.9 00:1b:1b:aa:00:01 hmi-2 host'],
  ],
  [
    'dnsmasq',
    {
      source: 'syslog',
      process: 'dnsmasq-dhcp',
      message: 'DHCPACK(br0) 10.1.3.9 00:1b:1b:aa:00:01 hmi-2',
    },
    ['10.1.3.9 00:1b:1b:aa:00:01 hmi-2 host'],
  ],
  [
    'a lease of an interface whose name does not end',
    {
      source: 'syslog',
      process: 'dnsmasq-dhcp',
      message: `DHCPACK(${'DHCPACK('.repeat(1_000)}br0) 10.1.3.9 00:1b:1b:aa:00:01 hmi-2`,
    },
    ['10.1.3.9 00:1b:1b:aa:00:01 hmi-2 host'],
  ],
  [
    'a lease of an interface with a name as long as none',
    {
      source: 'syslog',
      process: 'dnsmasq-dhcp',
      message: `DHCPACK(${'a'.repeat(1_000)}) 10.1.3.9 00:1b:1b:aa:00:01 hmi-2`,
    },
    [],
  ],
  [
    'conn.log with a service',
    { fields: { _path: 'conn', ...between, service: 'modbus' } },
    ['10.1.3.7 plc', '10.1.2.5 modbus-client'],
  ],
  [
    'everybody at once is nobody',
    { fields: { _path: 'bacnet', 'id.orig_h': '10.1.2.5', 'id.resp_h': '10.1.2.255' } },
    ['10.1.2.5 bacnet-client'],
  ],
  ['something else', { fields: { _path: 'http', ...between, method: 'POST' } }, []],
  ['no address', { fields: { _path: 'modbus', func: 'WRITE_SINGLE_COIL' } }, []],
  ['nonsense instead of values', { fields: { _path: ['modbus'], mac: 7, func: [null] } }, []],
]

for (const [name, rest, expected] of CASES) {
  test(`what an event tells of devices: ${name}`, () => assert.deepEqual(told(rest), expected))
}

test('where events are read, those that tell of no machine are left out', () => {
  const sieve = createSieve()
  const modbus = storedLog({
    ...{ source: 'zeek', src_ip: '10.0.0.5', dst_ip: '10.0.0.9' },
    fields: { _path: 'modbus', func: 'WRITE_SINGLE_COIL' },
  })
  assert.deepEqual(
    [modbus, storedLog({ source: 'sshd', src_ip: '10.0.0.5', dst_ip: '10.0.0.9' })].map(sieve),
    [true, false],
  )
})

test('an address loses the interface behind it, and nothing ends with half a character', () => {
  const half = `WRITE${'x'.repeat(94)}\u{1f6b0}`
  const { devices, write } = readSightings(
    log({
      fields: {
        _path: 'modbus',
        'id.orig_h': 'fe80::1%eth0',
        'id.resp_h': 'FE80::2%3',
        func: half,
      },
    }),
  )
  assert.deepEqual(
    devices.map(({ address }) => address),
    ['fe80::2', 'fe80::1'],
  )
  assert.deepEqual([write?.from, write?.to], ['fe80::1', 'fe80::2'])
  assert.equal(write?.command.isWellFormed(), true)
})
