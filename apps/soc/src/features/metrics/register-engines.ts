import type { Meter } from '../../core/metrics/meter.ts'
import type { Database } from '../../db/database.ts'
import type { DiskRoom } from '../../ports/disk-room.ts'
import type { LogStore } from '../../ports/log-store.ts'
import type { Remembered } from './remember.ts'

export type EngineDeps = {
  database: Pick<Database, 'isAvailable' | 'connections'>
  storage: Remembered<Awaited<ReturnType<LogStore['stats']>>>
  damages: LogStore['damages']
  diskRoom: DiskRoom
  now(): number
}

/** Whether the two engines answer, and how full they are. */
export function registerEngines(meter: Meter, deps: EngineDeps) {
  const { database, storage, damages, diskRoom, now } = deps
  meter.level('soc_database_up', 'Whether the database answers and is migrated', [], (tell) =>
    tell({}, database.isAvailable() ? 1 : 0),
  )
  meter.level(
    'soc_database_connections',
    'Connections to the database, and requests that wait for one',
    ['state'],
    (tell) => {
      for (const [state, count] of Object.entries(database.connections())) tell({ state }, count)
    },
  )
  meter.level('soc_log_store_up', 'Whether the log store answers', [], async (tell) =>
    tell({}, (await storage()) ? 1 : 0),
  )
  meter.level(
    'soc_log_store_damages',
    'Losses in the log store that were found and not seen to',
    [],
    (tell) => tell({}, damages().length),
  )
  meter.level(
    'soc_log_store_lost_events',
    'Log events that were stored and can no longer be read, as far as they are known',
    [],
    (tell) =>
      tell(
        {},
        damages().reduce((sum, { lost }) => sum + (lost ?? 0), 0),
      ),
  )
  meter.level('soc_disk_free_bytes', 'Room on the disk of the data', [], (tell) => {
    const room = diskRoom()
    if (room) tell({}, room.free)
  })
  meter.level('soc_disk_full', 'Whether the disk is so full that nothing is taken', [], (tell) => {
    const room = diskRoom()
    if (room) tell({}, room.isFull ? 1 : 0)
  })
  stored('soc_log_store_events', 'Log events that are kept', ({ events }) => events)
  stored('soc_log_store_bytes', 'Room that the log store takes on disk', ({ bytes }) => bytes)
  stored(
    'soc_log_store_oldest_seconds',
    'How old the oldest log event is, by its own time',
    ({ oldestAt }) => (oldestAt === null ? undefined : (now() - oldestAt) / 1000),
  )

  function stored(
    name: string,
    help: string,
    pick: (stats: Awaited<ReturnType<LogStore['stats']>>) => number | undefined,
  ) {
    meter.level(name, help, [], async (tell) => {
      const stats = await storage()
      const value = stats && pick(stats)
      if (value !== undefined) tell({}, value)
    })
  }
}
