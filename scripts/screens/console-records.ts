/** What the incident leaves empty: kept searches, a device, a secret, a parser, an investigation. */
export async function addRecords(address: string, password: string) {
  const signed = await fetch(`${address}/api/v1/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({ username: 'admin', password }),
  })
  const { access_token } = (await signed.json()) as { access_token: string }
  async function call<Reply>(method: string, route: string, body?: object): Promise<Reply> {
    const reply = await fetch(`${address}/api/v1${route}`, {
      method,
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!reply.ok) throw new Error(`${method} ${route}: ${await reply.text()}`)
    return (await reply.json()) as Reply
  }
  type Made = { id: string }
  for (const [title, query] of [
    ['Encoded PowerShell', 'CommandLine:*-enc*'],
    ['Files with a ransomware ending', 'TargetFilename:*.locked'],
  ]) {
    const { id } = await call<Made>('POST', '/siem/hunts', { title, query })
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
  const { id } = await call<Made>('POST', '/siem/parsers', DOOR_PARSER)
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
