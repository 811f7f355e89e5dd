import type { FieldValue } from '@manara/log-query/event'
import type { StoredLog } from './log-store.ts'

type Sized = Pick<StoredLog, 'message' | 'fields'> & Partial<Pick<StoredLog, 'original'>>

/** What is beside the texts: names, numbers, and an object for each event. */
const BESIDE = 200
const OF_A_VALUE = 20

/** About how many characters an event has, by which copying it or making text of it takes long. */
export function sizeOf({ message, fields, original }: Sized): number {
  let size = BESIDE + message.length + (original?.length ?? 0)
  for (const name in fields) size += valueSize(fields[name])
  return size
}

function valueSize(value: FieldValue | undefined): number {
  if (typeof value === 'string') return OF_A_VALUE + value.length
  if (!Array.isArray(value)) return OF_A_VALUE
  return value.reduce<number>((sum, one) => sum + valueSize(one), OF_A_VALUE)
}

export type Piece<Log> = { logs: Log[]; characters: number }

/** A copy of so many, or a text made of them, takes a thread some milliseconds. */
export const FEW_CHARACTERS = 2 ** 20

/** All of them in their order, in pieces of at most so many; an event that has more is one alone. */
export function* inPieces<Log extends Sized>(
  logs: Log[],
  most: { events: number; characters?: number },
): Generator<Piece<Log>> {
  const { events, characters: mostCharacters = FEW_CHARACTERS } = most
  let from = 0
  let characters = 0
  for (let at = 0; at < logs.length; at += 1) {
    const size = sizeOf(logs[at] as Log)
    if (at - from >= events || (at > from && characters + size > mostCharacters)) {
      yield { logs: logs.slice(from, at), characters }
      from = at
      characters = 0
    }
    characters += size
  }
  if (logs.length > 0) yield { logs: from === 0 ? logs : logs.slice(from), characters }
}
