import type { Http } from '@manara/kit/http'
import { listOf } from '@manara/soc-contract/lists'
import {
  Secret,
  SecretDeleted,
  SecretListQuery,
  SecretParams,
  SecretWrite,
} from '@manara/soc-contract/secrets'
import type { Kysely } from 'kysely'
import type { Changes } from '../../core/change/operator-change.ts'
import type { Reads } from '../../core/mode/read-through.ts'
import { pageOf } from '../../db/page.ts'
import type { Tables } from '../../db/tables.ts'
import { requires } from '../../http/permissions.ts'
import { pageOfSecrets, type SecretRow, secretByName } from './secrets.store.ts'
import { deleteSecret, type SecretDeps, toSecret, writeSecret } from './write-secret.ts'

type RouteDeps = SecretDeps & { db: Kysely<Tables> } & Pick<Changes, 'operatorChange'> & Reads

const tags = ['secrets']

/** There is no route that answers a value. */
export function secretRoutes(http: Http, deps: RouteDeps) {
  const { db, sealing, readUsers, operatorChange, readThrough } = deps

  http.get(
    '/secrets',
    {
      ...requires('soar:manage'),
      schema: {
        tags,
        summary: 'List secrets',
        description: 'By name, without their values, with the playbooks that use them.',
        querystring: SecretListQuery,
        response: { 200: listOf(Secret) },
      },
    },
    ({ query }) =>
      readThrough(async () => {
        const { rows, total } = await pageOfSecrets(db, query)
        const cursorAfter = ({ name }: { name: string }) => name
        const users = await readUsers(db)
        const toItem = (row: SecretRow) => toSecret(deps, users, row)
        return pageOf(query, { rows, total, cursorAfter, toItem })
      }),
  )

  http.get(
    '/secrets/:name',
    {
      ...requires('soar:manage'),
      schema: {
        tags,
        summary: 'One secret, without its value',
        params: SecretParams,
        response: { 200: Secret },
      },
    },
    ({ params }) =>
      readThrough(async () =>
        toSecret(deps, await readUsers(db), await secretByName(db, params.name)),
      ),
  )

  http.put(
    '/secrets/:name',
    {
      ...requires('soar:manage'),
      schema: {
        tags,
        summary: 'Store a secret, or give it another value',
        description:
          'The value is sealed with the key file and is never answered, audited or logged. Playbooks name it as `{{ secrets.<name> }}` in the url, the headers or the body of `http_webhook`, settings of the service as `secret:<name>`.',
        params: SecretParams,
        body: SecretWrite,
        response: { 200: Secret },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 200, async (change) => {
        const row = await writeSecret(sealing, change, request.params.name, request.body)
        return toSecret(deps, await readUsers(change.tx), row)
      }),
  )

  http.delete(
    '/secrets/:name',
    {
      ...requires('soar:manage'),
      schema: {
        tags,
        summary: 'Delete a secret',
        description: '409 with the playbooks and settings that use it while there are any.',
        params: SecretParams,
        response: { 200: SecretDeleted },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 200, (change) =>
        deleteSecret(deps, change, request.params.name),
      ),
  )
}
