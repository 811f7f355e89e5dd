import type { Fields } from '../../fields.ts'
import { textOf } from '../../parsed.ts'
import { keptFields } from '../../scan/kept-fields.ts'
import { channelOf } from './ecs-names.ts'
import { nameOf } from './message-lines.ts'

/** What ArcSight's connector for Windows puts an event's data under. */
const PLACES: Record<string, string> = {
  TargetUserName: 'duser',
  TargetDomainName: 'dntdom',
  SubjectUserName: 'suser',
  SubjectDomainName: 'sntdom',
  IpAddress: 'src',
  IpPort: 'spt',
  WorkstationName: 'shost',
}
const CUSTOM = /^((?:cs|cn|deviceCustom(?:String|Number))\d)Label$/

/** An event of Windows in CEF, of ArcSight and NXLog, under the names of Windows; else nothing. */
export function windowsOfCef(fields: Fields): Fields {
  const of = (name: string) => textOf(fields[name])
  const [written = '', number] = of('deviceEventClassId')?.split(':') ?? []
  const provider = of('SourceName') ?? written
  const code = number ?? of('externalId')
  const channel = channelOf(provider, code)
  if (!channel || !code || !/^\d{1,5}$/.test(code)) return {}
  const found: Record<string, Fields[string] | undefined> = {
    EventID: code,
    Channel: channel,
    Provider_Name: provider,
    Computer: of('dvchost') ?? of('dhost'),
  }
  if (channel === 'Security') {
    for (const name in PLACES) found[name] = of(PLACES[name] ?? '')
    found[code === '4688' ? 'NewProcessName' : 'ProcessName'] = of('dproc')
    for (const name in fields) {
      const [, place] = CUSTOM.exec(name) ?? []
      const label = place && of(name)
      if (label) found[nameOf(label, undefined, code)] ??= of(place)
    }
  }
  return keptFields(found)
}
