export type CardEvent = 'inserted' | 'removed' | 'changed'

type Identity = { volume: string; mtime_ms: number }

/** What happened to the slot between two looks at it. Another card in it is two events. */
export function cardEvents(
  before: Identity | undefined,
  after: Identity | undefined,
  isHinted: boolean,
): CardEvent[] {
  if (!before) return after ? ['inserted'] : []
  if (!after) return ['removed']
  if (before.volume !== after.volume) return ['removed', 'inserted']
  return isHinted || before.mtime_ms !== after.mtime_ms ? ['changed'] : []
}
