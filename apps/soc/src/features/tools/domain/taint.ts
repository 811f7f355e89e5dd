export type Run = { shown: ReadonlySet<string>; hasReadForeignText: boolean }

export type TaintVerdict =
  | { kind: 'allowed' }
  /** An id that no record of this run has: it may only stand inside somebody's text. */
  | { kind: 'unknown-id'; field: string; id: string }
  /** What acts is for a person to decide, once text from outside was read. */
  | { kind: 'needs-person' }

/** No taint into control: what an attacker can write neither chooses a record nor acts. */
export function judgeTaint(decides: boolean, input: unknown, run: Run | undefined): TaintVerdict {
  if (!run) return { kind: 'allowed' }
  for (const { field, id } of idsIn(input)) {
    if (!run.shown.has(id)) return { kind: 'unknown-id', field, id }
  }
  return decides && run.hasReadForeignText ? { kind: 'needs-person' } : { kind: 'allowed' }
}

function* idsIn(input: unknown): Iterable<{ field: string; id: string }> {
  if (typeof input !== 'object' || input === null) return
  for (const [field, value] of Object.entries(input)) {
    if (!/(^|_)ids?$/.test(field)) continue
    for (const id of [value].flat()) if (typeof id === 'string') yield { field, id }
  }
}
