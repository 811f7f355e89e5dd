import type { LogRecord } from '@manara/log-query/event'

/** An event as a forwarder sends it. */
export type Raw = Record<string, string | number>
export type MadeRecording = {
  name: string
  events: Raw[]
  want: { hosts: string[]; user: string; process: string; technique: string }
}

const START = Date.UTC(2026, 2, 4, 9, 30)
const SYSMON = 'Microsoft-Windows-Sysmon/Operational'

/** Events of one host, a second apart, in the words of Sysmon and of the security log. */
export function hostEvents(host: string, startS = 0) {
  const events: Raw[] = []
  let at = START + startS * 1_000
  const add = (Channel: string, EventID: number, fields: Raw) => {
    at += 1_000
    const moment = new Date(at).toISOString()
    events.push({
      '@timestamp': moment,
      TimeCreated: moment,
      Hostname: host,
      Channel,
      EventID,
      ...fields,
    })
  }
  const image = (name: string) => (name.includes('\\') ? name : `C:\\Windows\\System32\\${name}`)
  return {
    events,
    sysmon: (code: number, fields: Raw) => add(SYSMON, code, fields),
    security: (code: number, fields: Raw) => add('security', code, fields),
    start(
      [parent, parentPid]: [string, number],
      [name, pid]: [string, number],
      user: string,
      command: string,
    ) {
      add(SYSMON, 1, {
        Image: image(name),
        ProcessId: String(pid),
        ParentImage: image(parent),
        ParentProcessId: String(parentPid),
        User: `CORP\\${user}`,
        CommandLine: command,
      })
    },
    connect([name, pid]: [string, number], user: string, from: string, to: string, port: number) {
      add(SYSMON, 3, {
        Image: image(name),
        ProcessId: String(pid),
        User: `CORP\\${user}`,
        Initiated: 'true',
        SourceIp: from,
        DestinationIp: to,
        DestinationPort: String(port),
      })
    },
    /** What hosts do all day. */
    noise(count: number) {
      for (let n = 0; n < count; n += 1) {
        add(SYSMON, 10, {
          SourceImage: image('svchost.exe'),
          SourceProcessId: '900',
          TargetImage: image('lsass.exe'),
          TargetProcessId: '700',
          GrantedAccess: '0x1000',
        })
        add('Security', 5158, {
          Application: '\\device\\harddiskvolume2\\windows\\system32\\svchost.exe',
          ProcessId: '900',
        })
      }
    },
  }
}

function memoryDump(): MadeRecording {
  const pc = hostEvents('PC-07.corp.example')
  pc.noise(40)
  pc.start(['explorer.exe', 4000], ['cmd.exe', 4100], 'mona', 'cmd.exe')
  pc.start(
    ['cmd.exe', 4100],
    ['rundll32.exe', 4200],
    'mona',
    'rundll32 comsvcs.dll, MiniDump 700 C:\\x.dmp full',
  )
  pc.sysmon(10, {
    SourceImage: 'C:\\Windows\\System32\\rundll32.exe',
    SourceProcessId: '4200',
    TargetImage: 'C:\\Windows\\System32\\lsass.exe',
    TargetProcessId: '700',
    GrantedAccess: '0x1fffff',
  })
  pc.noise(40)
  return {
    name: 'the memory of lsass written to a file',
    events: pc.events,
    want: { hosts: ['PC-07'], user: 'mona', process: 'rundll32.exe', technique: 'T1003.001' },
  }
}

/** From a program in a profile on one host, over WMI, to a second and from there to a third. */
function overThreeHosts(): MadeRecording {
  const tool = 'C:\\Users\\omar\\Downloads\\helper.exe'
  const first = hostEvents('PC-01')
  first.noise(20)
  first.start(['explorer.exe', 300], [tool, 310], 'omar', 'helper.exe')
  first.connect([tool, 310], 'omar', '10.0.0.1', '10.0.0.2', 135)
  const second = hostEvents('PC-02', 60)
  second.noise(20)
  second.connect(['svchost.exe', 900], 'SYSTEM', '10.0.0.2', '10.0.0.9', 443)
  second.security(4624, { TargetUserName: 'omar', IpAddress: '10.0.0.1', LogonType: '3' })
  second.start(['wmiprvse.exe', 600], ['C:\\Users\\Public\\next.exe', 610], 'omar', 'next.exe')
  second.connect(['C:\\Users\\Public\\next.exe', 610], 'omar', '10.0.0.2', '10.0.0.3', 135)
  const third = hostEvents('PC-03', 120)
  third.noise(20)
  third.connect(['svchost.exe', 900], 'SYSTEM', '10.0.0.3', '10.0.0.9', 443)
  third.security(4624, { TargetUserName: 'omar', IpAddress: '10.0.0.2', LogonType: '3' })
  third.start(['wmiprvse.exe', 600], ['reg.exe', 620], 'omar', 'reg save HKLM\\SAM C:\\sam')
  third.start(['wmiprvse.exe', 600], ['reg.exe', 630], 'omar', 'reg save HKLM\\SECURITY C:\\sec')
  return {
    name: 'over WMI from host to host to host',
    events: [...first.events, ...second.events, ...third.events],
    want: {
      hosts: ['PC-01', 'PC-02', 'PC-03'],
      user: 'omar',
      process: 'helper.exe',
      technique: 'T1003.002',
    },
  }
}

/** The victim is no culprit, and what was written is followed to what ran. */
function injection(): MadeRecording {
  const dropper = 'C:\\Users\\lina\\Desktop\\setup.exe'
  const dropped = 'C:\\ProgramData\\svc.exe'
  const pc = hostEvents('PC-11')
  pc.noise(30)
  pc.start(['explorer.exe', 500], [dropper, 510], 'lina', 'setup.exe')
  pc.sysmon(11, { Image: dropper, ProcessId: '510', TargetFilename: dropped })
  pc.start(['svchost.exe', 900], [dropped, 520], 'lina', 'svc.exe')
  pc.start(['explorer.exe', 500], ['notepad.exe', 505], 'lina', 'notepad.exe')
  pc.sysmon(8, {
    SourceImage: dropped,
    SourceProcessId: '520',
    TargetImage: 'C:\\Windows\\System32\\notepad.exe',
    TargetProcessId: '505',
  })
  pc.sysmon(10, {
    SourceImage: 'C:\\Windows\\System32\\notepad.exe',
    SourceProcessId: '505',
    TargetImage: 'C:\\Windows\\System32\\lsass.exe',
    TargetProcessId: '700',
    GrantedAccess: '0x1010',
  })
  return {
    name: 'a thread in a process of the person',
    events: pc.events,
    want: { hosts: ['PC-11'], user: 'lina', process: 'setup.exe', technique: 'T1055' },
  }
}

/** A number that is given again is another process: what ran first is no part of the second. */
function numberGivenAgain(): MadeRecording {
  const pc = hostEvents('PC-12')
  pc.start(['services.exe', 600], ['reg.exe', 777], 'SYSTEM', 'reg query HKLM\\Software\\Good')
  pc.sysmon(5, { Image: 'C:\\Windows\\System32\\reg.exe', ProcessId: '777' })
  pc.noise(60)
  pc.start(['powershell.exe', 650], ['reg.exe', 777], 'sara', 'reg save HKLM\\SAM C:\\s')
  return {
    name: 'a process number given again',
    events: pc.events,
    want: { hosts: ['PC-12'], user: 'sara', process: 'reg.exe', technique: 'T1003.002' },
  }
}

export const MADE: MadeRecording[] = [
  memoryDump(),
  overThreeHosts(),
  injection(),
  numberGivenAgain(),
]

export function quietEvents(): Raw[] {
  const pc = hostEvents('PC-20')
  pc.noise(100)
  pc.start(['explorer.exe', 500], ['winword.exe', 510], 'mona', 'winword.exe letter.docx')
  pc.start(['services.exe', 600], ['svchost.exe', 901], 'SYSTEM', 'svchost.exe -k netsvcs')
  return pc.events
}

/** As the store keeps it. */
export function asLog(raw: Raw, place: number): LogRecord {
  return {
    id: `e${String(place).padStart(5, '0')}`,
    at: Date.parse(String(raw['@timestamp'])),
    source: 'windows',
    host: 'collector.corp.example',
    severity: 'info',
    message: '',
    user: null,
    process: null,
    event_code: String(raw.EventID),
    src_ip: null,
    dst_ip: null,
    fields: raw,
  }
}
