import { setTimeout as pause } from 'node:timers/promises'
import type { Http } from '@manara/kit/http'
import { createWorker } from '../db/worker.ts'
import { demonstrationRoutes } from '../features/demonstration/demonstration.routes.ts'
import { dropEvents } from '../features/demonstration/drop-events.ts'
import { type WorkDeps, workOnDemonstration } from '../features/demonstration/work-on-it.ts'
import type { LogStore } from '../ports/log-store.ts'
import type { Platform } from './area.ts'

type Needs = Pick<WorkDeps, 'deleteCase' | 'noteInCases'> & {
  logs: Pick<LogStore, 'retain' | 'sources' | 'byIds'>
  takeLogs(sender: { id: string; name: string }, lines: Buffer): Promise<unknown>
  /** Arrival of the oldest event that rules and indicators have not looked at. */
  unseenSince(): number
  learnHosts(): Promise<void>
}

const SENDER = { id: 'demonstration', name: 'demonstration' }
const LOOK_MS = 50
const LONGEST_SETTLING_MS = 60_000

/** The invented incident that is loaded with one click and removed with one. */
export function composeDemonstration(platform: Platform, needs: Needs) {
  const { config, database, db, log, mode, operatorChange, internalWorkflow, readThrough } =
    platform
  const { bytes } = config.search.retention
  let isStopping = false
  async function settle() {
    const now = Date.now()
    const isOver = () => isStopping || Date.now() > now + LONGEST_SETTLING_MS
    while (needs.unseenSince() <= now && !isOver()) await pause(LOOK_MS)
    await needs.learnHosts()
  }
  const worker = createWorker({
    pass: () =>
      workOnDemonstration({
        ...{ db, internalWorkflow, settle },
        ...{ deleteCase: needs.deleteCase, noteInCases: needs.noteInCases },
        takeEvents: (events) =>
          needs.takeLogs(
            SENDER,
            Buffer.from(events.map((event) => JSON.stringify(event)).join('\n')),
          ),
        dropEvents: (load) => dropEvents(needs.logs, bytes, load),
      }),
    isReady: () => mode.runsPipelines && database.isAvailable(),
    pollMs: 30_000,
    gapMs: 500,
    log,
  })
  return {
    routes: (api: Http) =>
      demonstrationRoutes(api, { db, operatorChange, readThrough, wake: worker.wake }),
    start() {
      worker.start()
      worker.wake()
    },
    stop() {
      isStopping = true
      return worker.stop()
    },
  }
}
