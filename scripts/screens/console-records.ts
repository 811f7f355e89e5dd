import { signIn } from '../demo/soc-client.ts'

/** What the incident leaves empty: kept searches, a device, a secret, a parser, an investigation. */
export async function addRecords(address: string, password: string) {
  const { call } = await signIn(address, 'admin', password)
  for (const [title, query] of [
    ['Encoded PowerShell', 'CommandLine:*-enc*'],
    ['Files with a ransomware ending', 'TargetFilename:*.locked'],
  ]) {
    const { id } = await call('POST', '/siem/hunts', { title, query })
    await call('POST', `/siem/hunts/${id}/run`, {})
  }
  for (const [name, device_type, zone] of [
    ['pump-7', 'plc', 'Water'],
    ['gate-2', 'rtu', 'Yard'],
  ]) {
    await call('POST', '/cps/devices', { name, device_type, zone })
  }
  await call('PUT', '/secrets/ticket-token', {
    ...{ value: 'a value of its own', hosts: ['tickets.example'] },
    description: 'Opens tickets at the help desk',
  })
  await call('POST', '/siem/logs', { events: DOORS })
  const { id } = await call('POST', '/siem/parsers', DOOR_PARSER)
  await call('POST', `/siem/parsers/${id}/enable`, {})
  await call('POST', '/agents/investigate', { alert_context: 'fin-ws-07' })
}

const DOORS = Array.from({ length: 60 }, (_, n) => ({
  source: 'door',
  message:
    n % 10 === 9
      ? `window ${n} left open`
      : `door ${['north', 'south', 'lab'][n % 3]} opened by ${['leila', 'omar', 'h.salem'][n % 3]} from 192.0.2.${20 + (n % 7)}`,
  timestamp: new Date(Date.now() - n * 20_000).toISOString(),
}))

const DOOR_PARSER = {
  name: 'Doors of the office',
  source: 'door',
  definition: {
    kind: 'grok',
    pattern: 'door %{WORD:door} opened by %{USER:user} from %{IP:src_ip}',
  },
  samples: [
    {
      text: 'door north opened by leila from 192.0.2.1',
      expect: { door: 'north', user: 'leila', src_ip: '192.0.2.1' },
    },
    { text: 'window 9 left open', expect: {} },
  ],
}
