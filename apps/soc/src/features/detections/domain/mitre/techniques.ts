import attack from './attack.json' with { type: 'json' }

export type Technique = {
  id: string
  name: string
  tactics: string[]
  /** The technique that took its place, when ATT&CK has revoked this one. */
  replaced_by: string | null
}

/** Name, tactics, and for a revoked one its successor. */
const ENTRIES: Record<string, string[] | undefined> = attack.techniques

export const TACTICS: Record<string, string | undefined> = attack.tactics
export const ATTACK_VERSION = attack.version

/** Ids are written as `T1059.001`; case does not matter. */
export function techniqueOf(id: string): Technique | undefined {
  const known = id.toUpperCase()
  const entry = Object.hasOwn(ENTRIES, known) ? ENTRIES[known] : undefined
  const [name, tactics, successor] = entry ?? []
  if (name === undefined || tactics === undefined) return undefined
  return { id: known, name, tactics: tactics.split(' '), replaced_by: successor ?? null }
}

export const isTechnique = (id: string) => techniqueOf(id) !== undefined

/** Of today's ATT&CK: without the revoked ones. */
export const allTechniques = (): Technique[] =>
  Object.keys(ENTRIES).flatMap((id) => {
    const technique = techniqueOf(id)
    return technique && technique.replaced_by === null ? [technique] : []
  })
