import { unauthorized } from '@manara/kit/errors'
import type { Http } from '@manara/kit/http'
import {
  Deleted,
  PasswordChange,
  PasswordChanged,
  Profile,
  User,
  UserCreate,
  UserList,
  UserListQuery,
  UserParams,
  UserUpdate,
} from '@manara/soc-contract/users'
import type { Kysely } from 'kysely'
import type { Changes } from '../../core/change/operator-change.ts'
import { principalOf, sessionOf } from '../../core/identity/caller.ts'
import type { SignInThrottle } from '../../core/identity/sign-in-throttle.ts'
import type { Reads } from '../../core/mode/read-through.ts'
import type { Tables } from '../../db/tables.ts'
import { authenticated, requiresRole, whileEnrolling } from '../../http/permissions.ts'
import { changePassword } from './change-password.ts'
import { checkOwnPassword } from './check-own-password.ts'
import { createUser } from './create-user.ts'
import { listUsers } from './list-users.ts'
import { profileOf } from './profile.ts'
import { resetSecondFactors, type TakeProof } from './reset-second-factors.ts'
import { deleteUser, updateUser } from './update-user.ts'

export type UserDeps = Reads & {
  db: Kysely<Tables>
  throttle: SignInThrottle
  takeProof: TakeProof
  /** Like `operatorChange`, and answers only when every process has heard of it. */
  identityChange: Changes['operatorChange']
}

const tags = ['users']
const adminsOnly = requiresRole('admin')

export function userRoutes(http: Http, deps: UserDeps) {
  const { db, readThrough, identityChange } = deps

  http.get(
    '/users/me',
    { ...whileEnrolling(), schema: { tags, summary: 'Who I am', response: { 200: Profile } } },
    (request) => profileOf(readThrough, db, principalOf(request)),
  )

  http.post(
    '/users/me/password',
    {
      ...authenticated(),
      schema: {
        tags,
        summary: 'Change my password and sign out elsewhere',
        body: PasswordChange,
        response: { 200: PasswordChanged },
      },
    },
    (request, reply) => {
      const session = sessionOf(request)
      if (!session) throw unauthorized()
      return identityChange(
        request,
        reply,
        200,
        (change) => changePassword(change, session, request.body),
        () => checkOwnPassword(deps, session.principal, request.body.current_password),
      )
    },
  )

  http.get(
    '/users',
    {
      ...adminsOnly,
      schema: {
        tags,
        summary: 'All users',
        querystring: UserListQuery,
        response: { 200: UserList },
      },
    },
    ({ query }) => readThrough(() => listUsers(db, query)),
  )

  http.post(
    '/users',
    {
      ...adminsOnly,
      schema: { tags, summary: 'Create a user', body: UserCreate, response: { 201: User } },
    },
    (request, reply) =>
      identityChange(request, reply, 201, (change) => createUser(change, request.body)),
  )

  http.patch(
    '/users/:username',
    {
      ...adminsOnly,
      schema: {
        tags,
        summary: 'Change role, names or password, disable or enable',
        params: UserParams,
        body: UserUpdate,
        response: { 200: User },
      },
    },
    (request, reply) =>
      identityChange(request, reply, 200, (change) =>
        updateUser(change, request.params.username, request.body),
      ),
  )

  http.delete(
    '/users/:username',
    {
      ...adminsOnly,
      schema: { tags, summary: 'Remove a user', params: UserParams, response: { 200: Deleted } },
    },
    (request, reply) =>
      identityChange(request, reply, 200, (change) => deleteUser(change, request.params.username)),
  )

  http.delete(
    '/users/:username/second-factors',
    {
      ...adminsOnly,
      schema: {
        tags,
        summary: "Remove a user's second factors, after a proof",
        params: UserParams,
        response: { 200: Deleted },
      },
    },
    (request, reply) => {
      const session = sessionOf(request)
      if (!session) throw unauthorized()
      return identityChange(request, reply, 200, (change) =>
        resetSecondFactors(deps.takeProof, change, session, request.params.username),
      )
    },
  )
}
