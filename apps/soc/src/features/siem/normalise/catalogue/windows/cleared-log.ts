import type { Fields } from '../../fields.ts'
import { textOf } from '../../parsed.ts'

/**
 * Which log was cleared. The event calls it `Channel`, as it calls the log that it stands in itself,
 * which is System; this is the name that Hayabusa's rules have for it.
 */
export const CLEARED = 'LogFileClearedChannel'

/** Where forwarders put it: Sumo Logic, winlogbeat, what Graylog makes of that, Wazuh. */
const PLACES = [
  'UserData.LogFileCleared.Channel',
  'winlog.user_data.Channel',
  'winlogbeat_winlog_user_data_Channel',
  'winlog_user_data_Channel',
  'win.logFileCleared.channel',
  'data.win.logFileCleared.channel',
]
/** Lists of the data without its names: user, domain, log and more. */
const LISTS = ['StringInserts', 'EventData']
const SAID = /^The (.{1,255}) log file was cleared\./

export function clearedLog(fields: Fields, message: string | undefined): string | undefined {
  const named = PLACES.map((name) => textOf(fields[name]))
  const listed = LISTS.map((name) => [fields[name]].flat()[2]).map(textOf)
  return [...named, ...listed].find(Boolean) ?? SAID.exec(message ?? '')?.[1]
}
