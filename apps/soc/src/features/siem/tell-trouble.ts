import type { Logger } from '@manara/kit/logging'
import { AlertCreate, SETTLED } from '@manara/soc-contract/alerts'
import type { Kysely } from 'kysely'
import type { ChangeContext, Changes } from '../../core/change/operator-change.ts'
import type { Tables } from '../../db/tables.ts'
import { createWorker } from '../../db/worker.ts'
import type { DiskRoom } from '../../ports/disk-room.ts'
import type { Damage, LogStore } from '../../ports/log-store.ts'

type Trouble = { title: string; severity: 'critical' | 'high'; description: string }

export type TroubleDeps = {
  logs: Pick<LogStore, 'damages'>
  diskRoom: DiskRoom
  db: Kysely<Tables>
  internalWorkflow: Changes['internalWorkflow']
  raiseAlert(change: ChangeContext, alert: AlertCreate): Promise<unknown>
  isReady(): boolean
  log: Logger
  pollMs?: number
}

const SOURCE = 'platform'

/** Raises an alert for what is lost and for a full disk: whoever searches has to know. */
export function tellTrouble(deps: TroubleDeps) {
  const { logs, diskRoom, db, internalWorkflow, raiseAlert, isReady, log } = deps
  const told = new Set<string>()

  return createWorker({
    async pass() {
      const disk = diskRoom()
      if (!disk?.isFull) told.delete(FULL.title)
      const troubles = [...logs.damages().map(troubleOf), ...(disk?.isFull ? [FULL] : [])]
      for (const trouble of troubles.filter(({ title }) => !told.has(title))) {
        if (!(await isTold(db, trouble))) {
          const alert = AlertCreate.parse({ ...trouble, source: SOURCE, tags: ['log-store'] })
          await internalWorkflow((change) => raiseAlert(change, alert))
        }
        told.add(trouble.title)
      }
      return false
    },
    isReady,
    pollMs: deps.pollMs ?? 5_000,
    gapMs: 0,
    log,
  })
}

const FULL: Trouble = {
  title: 'The disk is full: log events are refused',
  severity: 'critical',
  description:
    'Less than 256 MB are free where SOC_DATA lies. Senders are answered 503 and syslog waits in memory, then it is dropped and counted. Free space or shorten the retention (SOC_RETENTION_DAYS, SOC_RETENTION_BYTES); it goes on by itself.',
}

/** One alert for each loss, also after a restart: the moment it was found is in its title. */
function troubleOf({ file, reason, lost, from, to, foundAt }: Damage): Trouble {
  const times = `${moment(from) ?? 'the beginning'} to ${moment(to) ?? 'now'}`
  const count = lost === null ? 'An unknown number of events' : `${lost} events`
  return {
    title: `Log file ${file} is damaged, found ${moment(foundAt)}`,
    severity: 'high',
    description:
      `${reason}. ${count} from ${times} can no longer be read. Searches over that time are marked as partial. Look for them at the senders or in a backup; what was found of the file is kept in the folder "damaged" beside it (docs/log-store.md).`.slice(
        0,
        5_000,
      ),
  }
}

const moment = (at: number | null) => (at === null ? undefined : new Date(at).toISOString())

/** A loss is told once and for all; a full disk again when it was settled and is full again. */
async function isTold(db: Kysely<Tables>, { title }: Trouble): Promise<boolean> {
  let query = db
    .selectFrom('alerts')
    .select('id')
    .where('source', '=', SOURCE)
    .where('title', '=', title)
  if (title === FULL.title) query = query.where('status', 'not in', SETTLED)
  return (await query.limit(1).execute()).length > 0
}
