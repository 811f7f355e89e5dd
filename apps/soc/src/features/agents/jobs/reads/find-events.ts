import type { LogSelection, StoredLog } from '../../../../ports/log-store.ts'
import type { Run } from '../../queue/agent-work.ts'

/** At most so many, the earliest first. */
export async function earliest(
  { logs }: Pick<Run, 'logs'>,
  selection: LogSelection,
  most: number,
): Promise<StoredLog[]> {
  const page = { skip: 0, limit: most, order: 'asc', countUpTo: 0 } as const
  return (await logs.search({ ...selection, ...page })).logs
}

/** Whether there is any such event. */
export async function isSeen(
  { logs }: Pick<Run, 'logs'>,
  selection: LogSelection,
): Promise<boolean> {
  const page = { skip: 0, limit: 1, order: 'desc', countUpTo: 0 } as const
  return (await logs.search({ ...selection, ...page })).logs.length > 0
}
