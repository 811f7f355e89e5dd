import type { LogStore } from '../../ports/log-store.ts'
import { type Load, story } from './story.ts'

/** Even of today: their time is over now. */
const NO_DAYS = -1

/**
 * Dropped by their source, which is quick in every store. Where a sender has written under that
 * name, as it could under the one that all loads had before, its events are not ours to drop: then
 * the invented ones stay beside them, and the answer is how many.
 */
export async function dropEvents(
  logs: Pick<LogStore, 'retain' | 'sources' | 'byIds'>,
  bytes: number | undefined,
  load: Load,
): Promise<number> {
  const ours = await logs.byIds(story(load).map(({ id }) => id))
  const known = ours.filter(({ source }) => source === load.source).length
  const stored = (await logs.sources()).find(({ source }) => source === load.source)
  if ((stored?.count ?? 0) > known) return known
  await logs.retain(
    { days: undefined, bytes, daysBySource: { [load.source]: NO_DAYS } },
    Date.now(),
  )
  return 0
}
