/** Who the story is about; the reference EDR has an endpoint of this name. */
export const HOST = 'fin-ws-07'
const USER = 'OFFICE\\h.salem'
const C2 = '203.0.113.45'

const sysmon = (EventID: number, event: object) => ({
  Channel: 'Microsoft-Windows-Sysmon/Operational',
  Computer: HOST,
  EventID,
  User: USER,
  ...event,
})

/** What the office's computers write in three minutes: ordinary days, and then an invoice. */
export function story(now: number): object[] {
  const at = (secondsAgo: number) => new Date(now - secondsAgo * 1_000).toISOString()
  return [
    ...Array.from({ length: 200 }, (_, index) => ({
      timestamp: at(180 - (index % 170)),
      source: 'linux-auth',
      host: `web-0${1 + (index % 3)}`,
      message: `Accepted publickey for deploy from 192.0.2.${10 + (index % 40)} port ${40_000 + index} ssh2`,
    })),
    {
      timestamp: at(60),
      ...sysmon(1, {
        Image: 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe',
        CommandLine: 'powershell.exe -nop -w hidden -enc SQBFAFgAIAAoAE4AZQB3AC0ATwBiAGoAZQBjAHQA',
        ParentImage: 'C:\\Program Files\\Microsoft Office\\root\\Office16\\WINWORD.EXE',
      }),
    },
    {
      timestamp: at(55),
      ...sysmon(3, {
        Image: 'C:\\Users\\h.salem\\AppData\\Local\\Temp\\upd.exe',
        SourceIp: '192.0.2.107',
        DestinationIp: C2,
        DestinationPort: 443,
      }),
    },
    {
      timestamp: at(30),
      ...sysmon(1, {
        Image: 'C:\\Windows\\System32\\vssadmin.exe',
        CommandLine: 'vssadmin.exe delete shadows /all /quiet',
        ParentImage: 'C:\\Users\\h.salem\\AppData\\Local\\Temp\\upd.exe',
        DestinationIp: C2,
      }),
    },
    ...Array.from({ length: 60 }, (_, index) => ({
      timestamp: at(25 - index / 3),
      ...sysmon(11, {
        Image: 'C:\\Users\\h.salem\\AppData\\Local\\Temp\\upd.exe',
        TargetFilename: `C:\\Finance\\2026\\invoice-${index}.xlsx.locked`,
      }),
    })),
  ]
}
