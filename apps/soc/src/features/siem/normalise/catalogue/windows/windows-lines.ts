import type { Fields } from '../../fields.ts'
import type { ParseText } from '../../parsed.ts'
import { momentOf } from '../../timestamps.ts'
import type { TextFormat } from '../log-format.ts'
import { LONGEST } from './event-in-text.ts'
import { parseWindows } from './windows-event.ts'

const MOST_NAMES = 40
/** `03/03/2026 10:00:00 AM`, also with thousandths. */
const BEGINS = /^(?:\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d(?:\.\d{1,9})?(?: [AP]M)?\r?\n)?LogName=/
const NAMED = /^([A-Za-z]\w{0,40})=(.*)$/
const MESSAGE = /(?:^|\n)Message=/

/** An event as Splunk's forwarder writes it: a name a line, and at the end the text, of several lines. */
const read: ParseText = (text, { receivedAt }) => {
  if (!BEGINS.test(text)) return undefined
  const at = MESSAGE.exec(text)
  const head = at ? text.slice(0, at.index) : text
  const fields: Fields = {}
  for (const line of head.split('\n', MOST_NAMES)) {
    const [, name, value = ''] = NAMED.exec(line.trimEnd()) ?? []
    if (name) fields[name] ??= value
  }
  if (at) fields.Message = text.slice(at.index + at[0].length)
  const parsed = parseWindows(fields, { object: {}, receivedAt })
  if (!parsed) return undefined
  const [time] = text.split('\n', 1)
  return {
    ...parsed,
    at: parsed.at ?? momentOf(time?.trim(), receivedAt),
    fields: { ...fields, ...parsed.fields },
  }
}

export const windowsLines: TextFormat = {
  id: 'windows.lines',
  title: 'Windows events as the lines of a Splunk forwarder (`LogName=…`)',
  group: 'windows',
  kind: 'text',
  ecs: 'host',
  ocsf: { class: 'base_event', activity: 'other' },
  when: { marks: ['LogName='], begins: BEGINS, longest: LONGEST },
  read,
  samples: [
    {
      event:
        '03/03/2026 10:00:00 AM\nLogName=Security\nEventCode=4625\nEventType=0\nComputerName=ws5.corp.example\nSourceName=Microsoft Windows security auditing.\nType=Information\nRecordNumber=7\nKeywords=Audit Failure\nTaskCategory=Logon\nOpCode=Info\nMessage=An account failed to log on.\n\nSubject:\n\tSecurity ID:\t\tNULL SID\n\tAccount Name:\t\t-\n\nLogon Type:\t\t\t3\n\nAccount For Which Logon Failed:\n\tAccount Name:\t\teve\n\tAccount Domain:\t\tCORP\n\nFailure Information:\n\tStatus:\t\t\t0xC000006D\n\nNetwork Information:\n\tSource Network Address:\t192.0.2.7\n\tSource Port:\t\t4711',
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        source: 'windows',
        host: 'ws5.corp.example',
        user: 'eve',
        event_code: '4625',
        src_ip: '192.0.2.7',
        fields: {
          EventID: '4625',
          Channel: 'Security',
          TargetUserName: 'eve',
          LogonType: '3',
          'source.port': 4711,
          'event.outcome': 'failure',
        },
      },
    },
  ],
}
