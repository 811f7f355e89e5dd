/** What the machine that answers most likely is, and which numbers of functions are commands. */
export const OT_PROTOCOLS = {
  modbus: { server: 'plc', commands: [5, 6, 15, 16, 21, 22, 23] },
  dnp3: { server: 'rtu', commands: [2, 3, 4, 5, 6, 13, 14, 15, 16, 17, 18] },
  s7: { server: 'plc', commands: [5, 0x1a, 0x1b, 0x1c, 0x28, 0x29] },
  bacnet: { server: 'building-controller', commands: [] },
  opcua: { server: 'opc-ua-server', commands: [] },
  enip: { server: 'plc', commands: [] },
  iec104: { server: 'rtu', commands: [] },
  profinet: { server: 'plc', commands: [] },
  mqtt: { server: 'mqtt-broker', commands: [] },
  dhcp: { server: 'dhcp-server', commands: [] },
} as const satisfies Record<string, { server: string; commands: number[] }>

export type OtProtocol = keyof typeof OT_PROTOCOLS

const SPELLINGS: [RegExp, OtProtocol][] = [
  [/^(known_)?modbus/, 'modbus'],
  [/^dnp3/, 'dnp3'],
  [/^s7(comm|plus|-comm)?([_-]|$)/, 's7'],
  [/^bacnet/, 'bacnet'],
  [/^opc[-_ ]?ua/, 'opcua'],
  [/^(enip|cip|ethernet[-/]ip)/, 'enip'],
  [/^(iec[-_]?(60870-5-)?104)/, 'iec104'],
  [/^profinet/, 'profinet'],
  [/^mqtt/, 'mqtt'],
  [/^dhcp/, 'dhcp'],
]

/** `modbus_detailed`, `S7comm`, `OPC-UA` …; undefined for what is none of them. */
export function protocolCalled(name: string): OtProtocol | undefined {
  if (name.length > 40) return undefined
  const known = called.get(name)
  if (known !== undefined) return known ?? undefined
  const low = name.toLowerCase()
  const protocol = SPELLINGS.find(([spelling]) => spelling.test(low))?.[1]
  if (called.size >= MOST_CALLED) called.clear()
  called.set(name, protocol ?? null)
  return protocol
}

const MOST_CALLED = 1_000
/** Of every event its source is asked for, and there are few. */
const called = new Map<string, OtProtocol | null>()

// As Zeek with ICSNPP, Suricata and the protocols' own books write them.
const COMMAND =
  /write|^wr(single|multiple)|operate|^select$|restart|stop|download|force|preset|set.?attribut|reinitiali[sz]e|communication.?control|^call(request)?$|start_appl|plc.?control|_?[nd]cmd_?/i
const ANSWER = /response|reply|_ack$/i

/** Whether a function is one that changes something at the other end. */
export function isCommand(protocol: OtProtocol, name: string | number): boolean {
  const numbers: readonly number[] = OT_PROTOCOLS[protocol].commands
  if (typeof name === 'number') return numbers.includes(name)
  if (/^\d+$/.test(name)) return numbers.includes(Number(name))
  return COMMAND.test(name) && !ANSWER.test(name)
}
