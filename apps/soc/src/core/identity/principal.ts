import type { Permission, Role } from '@manara/soc-contract/permissions'

export type Principal = {
  /** Of the user: what owns things. Agents, playbooks and the service itself have none. */
  id?: string | undefined
  username: string
  role: Role
  permissions: ReadonlySet<Permission>
  /** What acts: a person or their key, or what works in its own name. */
  kind: 'user' | 'api_key' | 'agent' | 'playbook' | 'system'
}

/** Not a service account, an API key, or a pipeline that works in its own name. */
export const isPerson = ({ kind, role }: Principal): boolean =>
  kind === 'user' && role !== 'service'

/** Whether what was written under this name and id is theirs: by the id, or for agents, who have none, by the name. */
export const isBehind = (
  principal: Principal,
  writer: { name: string; id?: string | null | undefined },
): boolean =>
  principal.id === undefined
    ? !writer.id && writer.name === principal.username
    : writer.id === principal.id

/** Who is calling, by what, and until when. */
export type Session = {
  /** May do nothing but enrol a second factor, which the role needs. */
  isEnrolling?: boolean
  /** Begun at the identity provider, and to be ended there too. */
  isFromProvider?: boolean
  principal: Principal
  /** Of the token or of the API key: what sign-out and rate limits count by. */
  id: string
  /** Of the token: what a new password, role or factor makes void. */
  stamp?: string
  expiresAt: number
}

/** Resolves to nothing when the credential is unknown, expired, revoked or of a disabled user. */
export type Sessions = {
  ofToken(token: string): Promise<Session | undefined>
  ofApiKey(key: string): Promise<Session | undefined>
}

/** What every API key begins with, so that it is known wherever it is sent. */
export const API_KEY_PREFIX = 'soc_'
