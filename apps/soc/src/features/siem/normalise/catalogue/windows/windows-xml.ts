import type { ParseText } from '../../parsed.ts'
import type { TextFormat } from '../log-format.ts'
import { eventInXml, LONGEST } from './event-in-text.ts'
import { parseWindows } from './windows-event.ts'

/** An event as the event log, a Splunk forwarder and Sysmon for Linux write it: `<Event …>…</Event>`. */
const read: ParseText = (text, { receivedAt }) => {
  const Event = eventInXml(text)
  return Event && parseWindows({}, { object: { Event }, receivedAt })
}

export const windowsXml: TextFormat = {
  id: 'windows.xml',
  title: 'Windows and Sysmon events as XML, also Sysmon for Linux',
  group: 'windows',
  kind: 'text',
  ecs: 'host',
  ocsf: { class: 'base_event', activity: 'other' },
  overrules: true,
  when: {
    marks: ['<Event>', '<Event xmlns', '<EventData>'],
    begins: /<\?xml|<Event/,
    longest: LONGEST,
  },
  read,
  samples: [
    {
      event:
        "<Event xmlns='http://schemas.microsoft.com/win/2004/08/events/event'><System><Provider Name='Microsoft-Windows-Security-Auditing' Guid='{54849625-5478-4994-a5ba-3e3b0328c30d}'/><EventID>4625</EventID><Level>0</Level><TimeCreated SystemTime='2026-03-03T10:00:00.1234567Z'/><EventRecordID>7</EventRecordID><Channel>Security</Channel><Computer>ws5.corp.example</Computer></System><EventData><Data Name='TargetUserName'>eve</Data><Data Name='IpAddress'>192.0.2.7</Data><Data Name='IpPort'>4711</Data><Data Name='SubjectUserName'>-</Data></EventData></Event>",
      expect: {
        at: '2026-03-03T10:00:00.123Z',
        source: 'windows',
        host: 'ws5.corp.example',
        user: 'eve',
        event_code: '4625',
        src_ip: '192.0.2.7',
        fields: { Channel: 'Security', TargetUserName: 'eve', 'source.port': 4711 },
      },
    },
    {
      event:
        '<14>Mar  3 10:00:01 web1 sysmon: <Event><System><Provider Name="Linux-Sysmon" Guid="{ff032593-a8d3-4f13-b0d6-01fc615a0f97}"/><EventID>1</EventID><Level>4</Level><TimeCreated SystemTime="2026-03-03T10:00:00.000000000Z"/><Channel>Linux-Sysmon/Operational</Channel><Computer>web1</Computer></System><EventData><Data Name="Image">/usr/bin/curl</Data><Data Name="CommandLine">curl -d &quot;a&amp;b&quot; http://www.example.test</Data><Data Name="User">eve</Data></EventData></Event>',
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        host: 'web1',
        user: 'eve',
        process: 'curl',
        event_code: '1',
        fields: { CommandLine: 'curl -d "a&b" http://www.example.test' },
      },
    },
  ],
}
