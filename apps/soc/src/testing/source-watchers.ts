import type { TestContext } from 'node:test'
import { createDatabase } from '../db/database.ts'
import { raiseAlert } from '../features/alerts/raise-alert.ts'
import { settleAlert } from '../features/alerts/settle-alert.ts'
import { tallyOf } from '../features/siem/ingest/tally.ts'
import { createEventCounts } from '../features/siem/sources/count-events.ts'
import { watchSources } from '../features/siem/sources/watch-sources.ts'
import { changesOf } from './changes-of.ts'
import { silentLog } from './test-postgres.ts'
import type { TestSoc } from './test-soc.ts'

/** Processes that count and watch, on the database of a service whose own clock is years away. */
export async function watchers(t: TestContext, soc: TestSoc, count: number) {
  const time = { now: Date.UTC(2035, 0, 1) }
  type Sends = (source: string, fields?: object) => void
  const made: { watch: ReturnType<typeof watchSources>; send: Sends }[] = []
  for (let at = 0; at < count; at += 1) {
    const database = createDatabase({ connection: soc.connection, log: silentLog })
    await database.start()
    t.after(() => database.close())
    const { internalWorkflow } = changesOf(database)
    const counts = createEventCounts()
    const watch = watchSources({
      ...{ db: database.kysely, counts, internalWorkflow, settleAlert, log: silentLog },
      raiseAlert: (change, alert) => raiseAlert(async () => {}, change, alert),
      ...{ now: () => time.now, isReady: () => true },
    })
    const send: Sends = (source, fields = {}) =>
      counts.add(
        tallyOf([
          {
            ...{ id: `${source}-${time.now}`, source, message: 'hello', fields: { ...fields } },
            ...{ at: time.now - 2_000, received_at: time.now },
          },
        ]),
        time.now,
      )
    made.push({ watch, send })
  }
  const turn = async (ms: number) => {
    time.now += ms
    await Promise.all(made.map(({ watch }) => watch.pass()))
  }
  return { made, time, turn }
}
