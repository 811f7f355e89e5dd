import { isIP } from 'node:net'
import type { FieldValue, LogRecord } from '@manara/log-query/event'
import { isCommand, OT_PROTOCOLS, type OtProtocol, protocolCalled } from './domain/ot-protocols.ts'

/** A machine as one event shows it. */
export type DeviceSighting = {
  address: string | null
  mac: string | null
  hostname: string | null
  protocol: OtProtocol
  device_type: string
  vendor: string | null
  model: string | null
  firmware_version: string | null
  /** Asked rather than answered: it counts as a device only in a zone that is known. */
  isClient: boolean
  at: number
  logId: string
}

export type WriteSighting = {
  from: string
  to: string
  protocol: OtProtocol
  command: string
  at: number
  logId: string
}

export type Sightings = { devices: DeviceSighting[]; write: WriteSighting | null }

const PROTOCOL_FIELDS = [
  '_path',
  'event_type',
  'service',
  'network.protocol',
  'network.application',
  'app_proto',
  'protocol',
  'proto_name',
  'event.dataset',
] as const
const FROM = ['source_h', 'id.orig_h', 'source.ip', 'src_ip', 'client_addr'] as const
const TO = ['destination_h', 'id.resp_h', 'destination.ip', 'dest_ip', 'dst_ip'] as const
const FUNCTIONS = [
  'func',
  'function',
  'function_name',
  'function_code',
  'fc_request',
  'pdu_service',
  'cip_service',
  'identifier_str',
  'command',
  'modbus.request.access_type',
  'modbus.request.function_code',
  'modbus.function_code',
  'dnp3.request.application.function_code',
  'dnp3.application.function_code',
  'dnp3.function_code',
] as const
const CLIENT_ADDRESS = [
  'assigned_addr',
  'client_addr',
  'dhcp.assigned_ip',
  'dhcp.client_ip',
] as const
const MAC = ['mac', 'client_mac', 'dhcp.client_mac', 'source.mac', 'src_mac'] as const
const NAME = [
  'host_name',
  'client_fqdn',
  'dhcp.hostname',
  'client_id',
  'mqtt.connect.client_id',
] as const

const NOTHING: Sightings = { devices: [], write: null }

/** What one event tells of devices; most tell nothing, which must cost nothing. */
export function readSightings(log: LogRecord): Sightings {
  const protocol = protocolOf(log)
  if (protocol === undefined) return NOTHING
  return protocol === 'dhcp' ? leaseOf(log) : conversationOf(log, protocol)
}

function protocolOf({ fields, source, process }: LogRecord): OtProtocol | undefined {
  for (const name of PROTOCOL_FIELDS) {
    const value = fields[name]
    const known = typeof value === 'string' ? protocolCalled(value) : undefined
    if (known) return known
  }
  // Their programs name no protocol.
  if (process !== null && /^(dnsmasq|dhcpd|kea-dhcp)/i.test(process)) return 'dhcp'
  return protocolCalled(source)
}

function conversationOf(log: LogRecord, protocol: OtProtocol): Sightings {
  const { fields, at, id: logId } = log
  const from = addressOf(fields, FROM) ?? addressIn(log.src_ip)
  const to = addressOf(fields, TO) ?? addressIn(log.dst_ip)
  const known = { protocol, at, logId }
  const devices: DeviceSighting[] = []
  const said = {
    vendor: textOf(fields, ['vendor', 'vendor_name', 'device.manufacturer'], 200),
    model: textOf(fields, ['model', 'model_name', 'product_name', 'device.model.name'], 200),
    firmware_version: textOf(fields, ['firmware_revision', 'firmware_version'], 100),
  }
  if (to !== null && isOneMachine(to)) {
    const { server: device_type } = OT_PROTOCOLS[protocol]
    devices.push({ ...known, ...said, ...NAMELESS, address: to, device_type, isClient: false })
  }
  if (from !== null && isOneMachine(from)) {
    devices.push({
      ...known,
      ...{ vendor: null, model: null, firmware_version: null },
      address: from,
      mac: macOf(fields),
      hostname: protocol === 'mqtt' ? textOf(fields, NAME, 200) : null,
      device_type: `${protocol}-client`,
      isClient: protocol !== 'mqtt',
    })
  }
  const command = from !== null && to !== null ? commandIn(fields, protocol) : null
  return {
    devices,
    write: command && from && to ? { ...known, from, to, command } : null,
  }
}

const NAMELESS = { mac: null, hostname: null }

function commandIn(fields: LogRecord['fields'], protocol: OtProtocol): string | null {
  for (const name of FUNCTIONS) {
    for (const value of [fields[name]].flat()) {
      if (typeof value !== 'string' && typeof value !== 'number') continue
      if (isCommand(protocol, value)) return cut(String(value), 100)
    }
  }
  const topic = fields.topic ?? fields['mqtt.publish.topic']
  const isSparkplug = typeof topic === 'string' && /^spBv1\.0\/[^/]+\/[ND]CMD\//.test(topic)
  return isSparkplug ? cut(topic, 100) : null
}

/** No half of a character at its end. */
const cut = (text: string, most: number) => text.slice(0, most).toWellFormed()

// Every part of it ends soon: what goes on to the end would be tried from every place again.
const LEASE =
  /DHCPACK(?:\([^)]{0,64}\)| on)? (?<address>\d{1,3}(?:\.\d{1,3}){3})(?: to)? (?<mac>[0-9a-f]{2}(?::[0-9a-f]{2}){5})(?: \((?<paren>[^)]{1,255})\)| (?!via)(?<bare>\S{1,255}))?/i

function leaseOf({ fields, message, at, id: logId }: LogRecord): Sightings {
  const said = LEASE.exec(message)?.groups ?? {}
  const address = addressOf(fields, CLIENT_ADDRESS) ?? addressIn(said.address ?? null)
  const mac = macOf(fields) ?? macIn(said.mac)
  if (mac === null && address === null) return NOTHING
  const device: DeviceSighting = {
    address: address !== null && isOneMachine(address) ? address : null,
    mac,
    hostname: textOf(fields, NAME, 200) ?? nameIn(said.paren ?? said.bare),
    protocol: 'dhcp',
    device_type: 'host',
    vendor: null,
    model: null,
    firmware_version: null,
    isClient: false,
    at,
    logId,
  }
  return { devices: device.address === null && mac === null ? [] : [device], write: null }
}

function addressOf(fields: LogRecord['fields'], names: readonly string[]): string | null {
  for (const name of names) {
    const address = addressIn(fields[name])
    if (address !== null) return address
  }
  return null
}

/** Without the interface that some write behind it: `fe80::1%eth0` is no address to a database. */
const addressIn = (value: FieldValue | undefined): string | null =>
  typeof value === 'string' && isIP(value) > 0 ? value.toLowerCase().replace(/%.*$/s, '') : null

/** Not everybody at once, and not the machine itself. */
const isOneMachine = (address: string) =>
  !/^(0\.|127\.|22[4-9]\.|23\d\.|24\d\.|25[0-5]\.|.*\.255$|::1?$|ff)/i.test(address)

function macOf(fields: LogRecord['fields']): string | null {
  for (const name of MAC) {
    const value = fields[name]
    const mac = typeof value === 'string' ? macIn(value) : null
    if (mac !== null) return mac
  }
  return null
}

function macIn(text: string | undefined): string | null {
  const digits = text?.replaceAll(/[:.-]/g, '').toLowerCase() ?? ''
  if (!/^[0-9a-f]{12}$/.test(digits) || /^(0{12}|f{12})$/.test(digits)) return null
  return digits.replace(/(..)(?=.)/g, '$1:')
}

function textOf(fields: LogRecord['fields'], names: readonly string[], most: number) {
  for (const name of names) {
    const text = nameIn(fields[name], most)
    if (text !== null) return text
  }
  return null
}

function nameIn(value: FieldValue | undefined, most = 200): string | null {
  if (typeof value !== 'string') return null
  const text = cut(value.replaceAll(/\p{Cc}/gu, '').trim(), most)
  return text === '' || text === '*' || text === '-' ? null : text
}
