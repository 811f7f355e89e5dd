import type { Http } from '@manara/kit/http'
import { Demonstration } from '@manara/soc-contract/demonstration'
import type { Kysely } from 'kysely'
import type { Changes } from '../../core/change/operator-change.ts'
import type { Reads } from '../../core/mode/read-through.ts'
import type { Tables } from '../../db/tables.ts'
import { authenticated, requiresRole } from '../../http/permissions.ts'
import { askToLoad, askToRemove } from './ask-for-it.ts'
import { NOTHING, readDemonstration } from './demonstration.store.ts'

export type DemonstrationDeps = {
  db: Kysely<Tables>
  /** There is something to do. */
  wake(): void
} & Pick<Changes, 'operatorChange'> &
  Reads

const tags = ['system']
const response = { 200: Demonstration }

export function demonstrationRoutes(http: Http, deps: DemonstrationDeps) {
  const { db, operatorChange, readThrough, wake } = deps

  http.get(
    '/demonstration',
    {
      ...authenticated(),
      schema: { tags, summary: 'Whether invented records are among the real ones', response },
    },
    () =>
      readThrough(
        () => readDemonstration(db),
        () => NOTHING,
      ),
  )

  http.post(
    '/demonstration',
    {
      ...requiresRole('admin'),
      schema: {
        ...{ tags, response },
        summary: 'Load the demonstration',
        description:
          'An invented incident on hosts under demo.invalid: its events pass the rules like any others. Playbooks about it are rehearsed only. Loading twice loads once.',
      },
    },
    async (request, reply) => {
      const asked = await operatorChange(request, reply, 200, askToLoad)
      wake()
      return asked
    },
  )

  http.delete(
    '/demonstration',
    {
      ...requiresRole('admin'),
      schema: {
        ...{ tags, response },
        summary: 'Remove the demonstration and all that came of it',
        description:
          'Also while it is being loaded. The audit log and the evidence ledger keep that it was there.',
      },
    },
    async (request, reply) => {
      const asked = await operatorChange(request, reply, 200, askToRemove)
      wake()
      return asked
    },
  )
}
