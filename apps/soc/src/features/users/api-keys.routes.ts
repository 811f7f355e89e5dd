import type { Http } from '@manara/kit/http'
import {
  ApiKeyCreate,
  ApiKeyCreated,
  ApiKeyList,
  ApiKeyListQuery,
  ApiKeyParams,
  Deleted,
  UserParams,
} from '@manara/soc-contract/users'
import { requiresRole } from '../../http/permissions.ts'
import { pageOf } from '../../showcase/query.ts'
import { allApiKeys, apiKeysOf, createApiKey, deleteApiKey, type LastUseOf } from './api-keys.ts'
import type { UserDeps } from './users.routes.ts'

const tags = ['users']

type ApiKeyDeps = Omit<UserDeps, 'throttle' | 'takeProof'> & { lastUseOf: LastUseOf }

export function apiKeyRoutes(http: Http, deps: ApiKeyDeps) {
  const { db, readThrough, identityChange, lastUseOf } = deps

  http.get(
    '/api-keys',
    {
      ...requiresRole('admin'),
      schema: {
        tags,
        summary: 'API keys of everybody',
        querystring: ApiKeyListQuery,
        response: { 200: ApiKeyList },
      },
    },
    async ({ query }) => pageOf(await readThrough(() => allApiKeys(db, lastUseOf)), query),
  )

  http.get(
    '/users/:username/api-keys',
    {
      ...requiresRole('admin'),
      schema: {
        tags,
        summary: 'API keys of a user',
        params: UserParams,
        querystring: ApiKeyListQuery,
        response: { 200: ApiKeyList },
      },
    },
    // A user has a handful: all are read, and the page is cut from them.
    async ({ params, query }) =>
      pageOf(await readThrough(() => apiKeysOf(db, params.username, lastUseOf)), query),
  )

  http.post(
    '/users/:username/api-keys',
    {
      ...requiresRole('admin'),
      schema: {
        tags,
        summary: 'Create an API key: it is shown this once',
        params: UserParams,
        body: ApiKeyCreate,
        response: { 201: ApiKeyCreated },
      },
    },
    (request, reply) => {
      reply.header('cache-control', 'no-store')
      return identityChange(request, reply, 201, (change) =>
        createApiKey(change, request.params.username, request.body),
      )
    },
  )

  http.delete(
    '/users/:username/api-keys/:key_id',
    {
      ...requiresRole('admin'),
      schema: {
        tags,
        summary: 'End an API key',
        params: ApiKeyParams,
        response: { 200: Deleted },
      },
    },
    (request, reply) =>
      identityChange(request, reply, 200, (change) =>
        deleteApiKey(change, request.params.username, request.params.key_id),
      ),
  )
}
