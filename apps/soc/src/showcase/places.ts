import type { Attestation, Device } from '@manara/soc-contract/cps'
import { at, idOf, OFFICE, STATION } from './story.ts'

const since = { created_at: '2025-09-14T05:00:00.000Z', updated_at: '2025-09-14T05:00:00.000Z' }

const health = (time: string, sources: string[]) => ({
  status: 'healthy',
  last_event_at: at(time),
  log_sources: sources.map((source) => ({
    source,
    last_event_at: at(time),
    is_silent: false,
  })),
  machines: [{ kind: 'endpoints', total: 1, silent: 0, last_event_at: at(time) }],
})

export const sites = [
  {
    id: OFFICE,
    name: 'Head office',
    region: 'Riyadh',
    timezone: 'Asia/Riyadh',
    status: 'active',
    profile: {
      asset_classes: ['workstation', 'server'],
      zones: ['office', 'servers'],
      criticality: 'high',
      supported_agents: ['agent-001', 'agent-002', 'agent-003'],
      log_sources: ['windows', 'mail'],
    },
    health: health('09:30', ['windows', 'mail']),
    ...since,
  },
  {
    id: STATION,
    name: 'Pumping station 3',
    region: 'Qassim',
    timezone: 'Asia/Riyadh',
    status: 'active',
    profile: {
      asset_classes: ['workstation', 'plc'],
      zones: ['engineering', 'process'],
      criticality: 'critical',
      supported_agents: ['agent-001', 'agent-007'],
      log_sources: ['modbus'],
    },
    health: health('09:05', ['modbus']),
    ...since,
  },
]

const windows = { name: 'Windows', version: '11 23H2', arch: 'x64' }

const endpoint = (number: number, hostname: string, ip: string, rest: object) => ({
  id: idOf('endpoint', number),
  hostname,
  ips: [ip],
  os: windows,
  agent_version: '4.2.1',
  status: 'online',
  isolation: 'none',
  labels: [] as string[],
  site_id: OFFICE,
  first_seen_at: '2025-09-14T05:00:00.000Z',
  last_seen_at: at('09:30'),
  ...rest,
})

export const endpoints = [
  endpoint(1, 'fin-ws-07', '192.0.2.107', { isolation: 'isolated', labels: ['finance'] }),
  endpoint(2, 'eng-ws-02', '198.51.100.12', { site_id: STATION, labels: ['engineering'] }),
  endpoint(3, 'dc-01', '192.0.2.10', { labels: ['domain-controller'] }),
  endpoint(4, 'web-01', '192.0.2.80', {
    os: { name: 'Debian', version: '12', arch: 'x64' },
    labels: ['internet-facing'],
  }),
]

const device = (
  number: number,
  name: string,
  device_type: string,
  rest: Partial<Device>,
): Device => ({
  id: idOf('device', number),
  name,
  device_type,
  vendor: 'Wadi Controls',
  model: 'WX-200',
  site_id: STATION,
  zone: 'process',
  purdue_level: 1,
  managed: true,
  hostname: name,
  addresses: [`198.51.100.${20 + number}`],
  mac_addresses: [],
  protocols: ['modbus'],
  sparkplug_node: null,
  attest_every_s: 3_600,
  next_attestation_at: at('10:00'),
  firmware_version: '3.8.0',
  firmware_sha256: '9c56cc51b374c3ba189210d5b6d4bf57790d351c96c47c02190ecf1e430635ab',
  status: 'online',
  certificate: {
    serial: `0${number}A7`,
    fingerprint: String(number).padStart(64, '0'),
    not_before: '2025-06-01T00:00:00.000Z',
    not_after: '2027-06-01T00:00:00.000Z',
    status: 'active',
    revoked_at: null,
    reason: null,
  },
  trust_status: 'trusted',
  last_attestation_at: at('09:00'),
  mqtt_topic: `devices/${idOf('device', number)}/attestation_request`,
  last_seen_at: at('09:30'),
  ...since,
  ...rest,
})

export const devices: Device[] = [
  device(1, 'plc-pump-03', 'plc', {
    status: 'quarantined',
    trust_status: 'untrusted',
    firmware_sha256: '1b4f0e9851971998e732078544c96b36c3d01cedf7caa332359d6f1d83567014',
    last_attestation_at: at('09:05'),
  }),
  device(2, 'plc-pump-04', 'plc', {}),
  device(3, 'rtu-valve-11', 'rtu', { model: 'WR-40', firmware_version: '1.12.4' }),
]

const attestation = (
  number: number,
  { id, firmware_version, firmware_sha256 }: Device,
  time: string,
  found: Pick<Attestation, 'verdict' | 'reason'>,
): Attestation => ({
  id: idOf('attestation', number),
  device_id: id,
  nonce: String(number).padStart(43, 'A'),
  trigger: 'schedule',
  requested_by: 'system',
  requested_at: at(time),
  expires_at: at(time.replace(/\d\d$/, (minute) => String(Number(minute) + 5).padStart(2, '0'))),
  status: 'answered',
  delivered_at: at(time),
  received_at: at(time),
  claims: {
    device_id: id,
    nonce: String(number).padStart(43, 'A'),
    issued_at: at(time),
    firmware: { name: 'WX-200', version: firmware_version ?? '', sha256: firmware_sha256 ?? '' },
    measurements: [],
    boot_count: 12,
    boot_seed: String(number).padStart(32, '0'),
    uptime_s: 86_400,
    debug: false,
  },
  ...found,
})

const [pump, other, valve] = devices as [Device, Device, Device]
const asBefore = {
  verdict: 'affirming',
  reason: 'the firmware is known and everything measured is as before',
} as const

export const attestations: Attestation[] = [
  attestation(1, pump, '09:05', {
    verdict: 'contraindicated',
    reason: 'the firmware is another one and still calls itself 3.8.0',
  }),
  attestation(2, other, '09:00', asBefore),
  attestation(3, valve, '09:00', asBefore),
]
