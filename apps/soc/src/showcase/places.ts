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

const device = (number: number, name: string, device_type: string, rest: object) => ({
  id: idOf('device', number),
  name,
  device_type,
  vendor: 'Wadi Controls',
  model: 'WX-200',
  site_id: STATION,
  zone: 'process',
  purdue_level: 1,
  firmware_version: '3.8.0',
  firmware_sha256: '9c56cc51b374c3ba189210d5b6d4bf57790d351c96c47c02190ecf1e430635ab',
  status: 'online',
  certificate: {
    serial: `0${number}A7`,
    fingerprint: `SHA256:showcase-device-${number}`,
    not_before: '2025-06-01T00:00:00.000Z',
    not_after: '2027-06-01T00:00:00.000Z',
    status: 'valid',
    revoked_at: null,
    reason: null,
  },
  trust_status: 'trusted',
  last_attestation_at: at('09:00'),
  mqtt_topic: `devices/${name}/attestation`,
  ...rest,
})

export const devices = [
  device(1, 'plc-pump-03', 'plc', {
    status: 'quarantined',
    trust_status: 'contraindicated',
    firmware_sha256: '1b4f0e9851971998e732078544c96b36c3d01cedf7caa332359d6f1d83567014',
    last_attestation_at: at('09:05'),
  }),
  device(2, 'plc-pump-04', 'plc', {}),
  device(3, 'rtu-valve-11', 'rtu', { model: 'WR-40', firmware_version: '1.12.4' }),
]
