import type { StoredLog } from '../../ports/log-store.ts'

/** Which rules concern which events of a batch, told by their places. */
export type Matches = {
  found: { rule: string; logs: number[] }[]
  /** How many events there were of each source that a rule has. */
  seen: Record<string, number>
}

/** Events that some rule matched, by their place in the batch: the others stay where they are. */
export type Hits = Record<number, StoredLog>

/** Found where the events were read, by the rules as they were known there. */
export type Matched = Matches & {
  hits: Hits
  /** Of the rules: what those of another edition found says nothing. */
  edition: number
}

/** The rules that are matched where events are read; nobody else looks into one. */
export type SharedRules<Rule = unknown> = {
  edition: number
  /** What is the same under its key was told before. */
  rules: { id: string; key: string; now: number; rule: Rule }[]
}

/** Matches rules in a thread that reads events. */
export type Matching = {
  /** Undefined when nothing is to be matched here. */
  setRules(shared: SharedRules | undefined): void
  /**
   * For the events of one part, if there is something to match; `finish` answers nothing when some of
   * them were not looked at.
   */
  begin():
    | { add(log: StoredLog, characters: number): void; finish(): Matched | undefined }
    | undefined
}

/** What was found in several batches, as of one; nothing where that is not known of all. */
export function joinMatched(
  batches: readonly { size: number; matched?: Matched | undefined }[],
): Matched | undefined {
  const edition = batches[0]?.matched?.edition
  if (edition === undefined) return undefined
  const found = new Map<string, number[]>()
  const all: Matched = { edition, found: [], seen: {}, hits: {} }
  let first = 0
  for (const { size, matched } of batches) {
    if (matched?.edition !== edition) return undefined
    for (const { rule, logs } of matched.found) {
      const places = found.get(rule) ?? []
      found.set(rule, places)
      for (const place of logs) places.push(first + place)
    }
    for (const key in matched.seen) all.seen[key] = (all.seen[key] ?? 0) + (matched.seen[key] ?? 0)
    for (const place in matched.hits) {
      all.hits[first + Number(place)] = matched.hits[place] as StoredLog
    }
    first += size
  }
  all.found = [...found].map(([rule, logs]) => ({ rule, logs }))
  return all
}
