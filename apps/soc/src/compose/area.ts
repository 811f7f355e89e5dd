import type { Http } from '@manara/kit/http'
import type { Logger } from '@manara/kit/logging'
import type { Kysely } from 'kysely'
import type { Config } from '../config.ts'
import type { Changes, GroupedChanges } from '../core/change/operator-change.ts'
import type { Sealing } from '../core/keys/sealing.ts'
import type { Mode } from '../core/mode/mode.ts'
import type { Reads } from '../core/mode/read-through.ts'
import type { Witness } from '../core/proofs/witness.ts'
import type { Database } from '../db/database.ts'
import type { Notifications } from '../db/notifications.ts'
import type { Tables } from '../db/tables.ts'
import type { InTurn } from '../http/in-turn.ts'

/** What every area is given: settings, the database, and how a change or a read is made. */
export type Platform = {
  config: Config
  mode: Mode
  log: Logger
  database: Database
  db: Kysely<Tables>
  notifications: Notifications
  /** For secrets that are kept in the database. */
  sealing: Sealing
  /** What was signed outside the database. */
  witness: Witness
  /** Files that are imported take turns, whatever they hold. */
  filesInTurn: InTurn
  /** Previews of rules take turns, whatever the rules look at. */
  previewsInTurn: InTurn
} & Changes &
  GroupedChanges &
  Reads

/** A part of the service. Nothing of it runs before `start`, nothing after `stop`. */
export type Area = {
  /** Below `/api/v1`. */
  routes?(api: Http): void
  /** Outside the prefix, where other systems' clients look for them. */
  rootRoutes?(http: Http): void
  start?(): unknown
  stop?(): unknown
}
