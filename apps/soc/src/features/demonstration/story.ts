import { logIdsOf } from '../../core/demonstration/log-ids.ts'
import { DEMONSTRATION_DOMAIN } from '../../core/demonstration/marks.ts'

const HOST = `fin-ws-07.${DEMONSTRATION_DOMAIN}`
const SERVERS = ['web-01', 'web-02', 'web-03'].map((name) => `${name}.${DEMONSTRATION_DOMAIN}`)
export const HOSTS = [HOST, ...SERVERS]

const USER = 'DEMO\\h.salem'
// From the ranges that are kept for documentation: nobody has these addresses.
const C2 = '203.0.113.45'

const sysmon = (EventID: number, event: object) => ({
  ...{ Channel: 'Microsoft-Windows-Sysmon/Operational', Computer: HOST, host: HOST },
  ...{ EventID, User: USER, ...event },
})

export type Load = { id: string; source: string; begun_at: Date }
type InventedEvent = { id: string }

/**
 * What an office writes in three minutes: ordinary sign-ins, and then an invoice that encrypts. Ids
 * come from that of the load, so that what is sent again after a restart is stored once, and what is
 * loaded again after it was removed is new.
 */
export function story({ id: loadId, source, begun_at }: Load): InventedEvent[] {
  const now = begun_at.getTime()
  const at = (secondsAgo: number) => new Date(now - secondsAgo * 1_000).toISOString()
  const temp = 'C:\\Users\\h.salem\\AppData\\Local\\Temp\\upd.exe'
  const events: object[] = [
    ...Array.from({ length: 120 }, (_, index) => ({
      timestamp: at(180 - (index % 170)),
      host: SERVERS[index % SERVERS.length],
      message: `Accepted publickey for deploy from 192.0.2.${10 + (index % 40)} port ${40_000 + index} ssh2`,
    })),
    {
      timestamp: at(60),
      ...sysmon(1, {
        message: 'Word started PowerShell with an encoded command',
        Image: 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe',
        CommandLine: 'powershell.exe -nop -w hidden -enc SQBFAFgAIAAoAE4AZQB3AC0ATwBiAGoAZQBjAHQA',
        ParentImage: 'C:\\Program Files\\Microsoft Office\\root\\Office16\\WINWORD.EXE',
      }),
    },
    {
      timestamp: at(55),
      ...sysmon(3, {
        message: `upd.exe connected to ${C2}:443`,
        ...{ Image: temp, SourceIp: '192.0.2.107', DestinationIp: C2, DestinationPort: 443 },
      }),
    },
    {
      timestamp: at(30),
      ...sysmon(1, {
        message: 'All shadow copies were deleted',
        Image: 'C:\\Windows\\System32\\vssadmin.exe',
        CommandLine: 'vssadmin.exe delete shadows /all /quiet',
        ParentImage: temp,
      }),
    },
    ...Array.from({ length: 60 }, (_, index) => ({
      timestamp: at(25 - index / 3),
      ...sysmon(11, {
        message: `invoice-${index}.xlsx became invoice-${index}.xlsx.locked`,
        ...{ Image: temp, TargetFilename: `C:\\Finance\\2026\\invoice-${index}.xlsx.locked` },
      }),
    })),
  ]
  return events.map((event, index) => ({
    ...{ id: `${logIdsOf(loadId)}${index}`, source },
    ...{ labels: { demonstration: true }, ...event },
  }))
}
