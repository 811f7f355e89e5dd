import { z } from 'zod'
import { ListQuery, listOf, moment } from './lists.ts'
import { Permission, Role } from './permissions.ts'
import { filledText } from './text.ts'

const Username = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}$/, 'must be 1 to 64 letters, digits or . _ @ + -')
  .refine((name) => !['system', 'anonymous', 'me'].includes(name.toLowerCase()), 'is reserved')
const Password = z
  .string()
  .min(8, 'must have at least 8 characters')
  .max(256, 'must have at most 256 characters')
const FullName = filledText(200)
const Email = z.email('must be an email address').max(320)

export const User = z.object({
  /** Of this user alone; the name may be given again. */
  id: z.string(),
  username: z.string(),
  role: Role,
  full_name: z.string().nullable(),
  email: z.string().nullable(),
  disabled: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type User = z.infer<typeof User>

export const UserList = listOf(User)

/** The caller: without a database only what the token says is known. */
export const Profile = User.partial({ id: true, created_at: true, updated_at: true }).extend({
  permissions: z.array(Permission),
  kind: z.enum(['user', 'api_key']),
})
export type Profile = z.infer<typeof Profile>

export const UserCreate = z.strictObject({
  username: Username,
  password: Password,
  role: Role,
  full_name: FullName.nullish(),
  email: Email.nullish(),
})
export type UserCreate = z.infer<typeof UserCreate>

export const UserUpdate = z
  .strictObject({
    role: Role,
    disabled: z.boolean(),
    password: Password,
    full_name: FullName.nullable(),
    email: Email.nullable(),
  })
  .partial()
  .refine((body) => Object.keys(body).length > 0, 'must change something')
export type UserUpdate = z.infer<typeof UserUpdate>

export const UserParams = z.object({ username: filledText(200) })

export const PasswordChange = z.strictObject({
  current_password: z.string().min(1).max(1_000),
  new_password: Password,
})
export const PasswordChanged = z.object({ username: z.string(), changed: z.literal(true) })

export const ApiKeyCreate = z.strictObject({
  name: filledText(100),
  scopes: z
    .array(Permission)
    .min(1)
    .max(100)
    .transform((scopes) => [...new Set(scopes)]),
  expires_at: moment.nullish(),
})
export type ApiKeyCreate = z.infer<typeof ApiKeyCreate>

export const ApiKey = z.object({
  id: z.string(),
  username: z.string(),
  name: z.string(),
  /** The first characters of the key, to tell keys apart. */
  hint: z.string(),
  scopes: z.array(Permission),
  created_by: z.string(),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  last_used_at: z
    .string()
    .nullable()
    .meta({ description: 'At most a day older than the last use; null when never used' }),
})
export type ApiKey = z.infer<typeof ApiKey>

export const ApiKeyList = listOf(ApiKey)

/** The only answer that ever contains the key itself. */
export const ApiKeyCreated = ApiKey.extend({ key: z.string() })

export const ApiKeyParams = UserParams.extend({ key_id: filledText(64) })

export const Deleted = z.object({ deleted: z.literal(true), id: z.string() })

export const UserListQuery = ListQuery.pick({ skip: true, limit: true, cursor: true }).extend({
  role: Role.optional(),
  disabled: z.enum(['true', 'false']).optional(),
})
export type UserListQuery = z.infer<typeof UserListQuery>

export const ApiKeyListQuery = ListQuery.pick({ skip: true, limit: true, cursor: true })
