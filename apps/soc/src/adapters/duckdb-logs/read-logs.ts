import { randomBytes } from 'node:crypto'
import { mapInTurns } from '@manara/kit/turns'
import type { StoredLog } from '../../ports/log-store.ts'
import { COLUMNS } from './rows.ts'
import { toLog } from './to-log.ts'

/** More of the largest events would hold up the thread that takes their text apart. */
const TEXT_EVENTS = 16

/** Stored texts have no NUL; and should one, whoever sent it cannot know the rest. */
const createMark = () => `\0${randomBytes(4).toString('hex')}`
const [END, NULL] = [createMark(), createMark()]
const written = (mark: string) => `chr(0) || '${mark.slice(1)}'`

const VALUES = COLUMNS.map((name) => `coalesce("${name}"::VARCHAR, ${written(NULL)})`)

/** Fewer are read value by value: texts take the engine three milliseconds more to plan. */
const MANY_EVENTS = 200

/**
 * Reads the events of a statement, of at most so many rows, in no order. Many are laid together as
 * texts: value by value they took four times as long in the thread that everybody waits for, as each
 * text of the engine is a piece of foreign memory for V8.
 */
export async function readLogs(
  events: string,
  most: number,
  read: (sql: string) => Promise<unknown[][]>,
): Promise<StoredLog[]> {
  if (most <= MANY_EVENTS) return mapInTurns(await read(events), toLog)
  const logs = await mapInTurns(await read(asTexts(events)), ([text]) => logsIn(String(text)))
  return logs.flat()
}

const asTexts = (events: string) => `SELECT string_agg(event, '') FROM (
    SELECT row_number() OVER () AS place, concat_ws(${written(END)}, ${VALUES.join(', ')}, '') AS event
    FROM (${events})
  ) GROUP BY place // ${TEXT_EVENTS}`

function logsIn(text: string): StoredLog[] {
  const values = text.split(END).map((value) => (value === NULL ? null : value))
  const logs: StoredLog[] = []
  for (let at = 0; at + COLUMNS.length < values.length; at += COLUMNS.length) {
    logs.push(toLog(values.slice(at, at + COLUMNS.length)))
  }
  return logs
}
