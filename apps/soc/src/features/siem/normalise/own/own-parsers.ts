import type { ParserDefinition } from '@manara/soc-contract/parsers'
import type { Fields } from '../fields.ts'
import type { NormalisedLog } from '../normalise.ts'
import { movedAside } from '../unfold.ts'
import { applyFound } from './apply-found.ts'
import type { ReadEvent } from './found.ts'
import { compileParser } from './own-parser.ts'

/** One that is switched on. */
export type EnabledParser = { id: string; source: string; definition: ParserDefinition }

export const ownName = (id: string) => `own:${id}`

/** One event may cost a parser so much; it then rests, so that it cannot slow down everybody. */
const MOST_MS = 50
const REST_MS = 60_000

/** Of the processor: a parser is not slow because others kept this thread waiting. */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

type OwnParsersOptions = {
  /** False where events that are stored already are read: without the parser they would lose fields. */
  mayRest?: boolean
  now?(): number
  workedMs?(): number
}

export type OwnParsers = ReturnType<typeof createOwnParsers>

/** Parsers of the user's own, by source. Whatever is wrong with one, the event is kept without it. */
export function createOwnParsers({
  mayRest = true,
  now = () => performance.now(),
  workedMs = threadMs,
}: OwnParsersOptions = {}) {
  let bySource = new Map<string, { id: string; read: ReadEvent; restsUntil: number }[]>()

  function set(parsers: EnabledParser[]) {
    bySource = new Map()
    for (const { id, source, definition } of parsers) {
      try {
        const made = { id, read: compileParser(definition), restsUntil: 0 }
        bySource.set(source, [...(bySource.get(source) ?? []), made])
      } catch {
        // Checked when it was saved; a later version of this service may refuse it.
      }
    }
  }

  /** The first that reads it counts; what it finds under a `sealed` name is kept beside it. */
  function apply(log: NormalisedLog, sealed?: Fields): NormalisedLog {
    for (const parser of bySource.get(log.source) ?? []) {
      if (mayRest && now() < parser.restsUntil) continue
      const began = workedMs()
      try {
        const found = parser.read(log)
        if (workedMs() - began > MOST_MS) parser.restsUntil = now() + REST_MS
        if (found) return applyFound(log, movedAside(found, sealed), ownName(parser.id))
      } catch {
        parser.restsUntil = now() + REST_MS
      }
    }
    return log
  }

  return { set, apply }
}
