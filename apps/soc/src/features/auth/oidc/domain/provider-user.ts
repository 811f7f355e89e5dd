import type { Role } from '@manara/soc-contract/permissions'
import { UserCreate } from '@manara/soc-contract/users'

/** In the order of the setting: the first group that somebody is in gives the role. */
export type GroupRole = { group: string; role: Role }

export function roleOf(
  groups: string[],
  { roles, defaultRole }: { roles: GroupRole[]; defaultRole: Role | undefined },
): Role | undefined {
  const held = new Set(groups)
  return roles.find(({ group }) => held.has(group))?.role ?? defaultRole
}

/** A name that is allowed here: as the provider prefers it, else the verified address, else the subject. */
export function usernameOf(account: {
  preferredName: string | undefined
  email: string | undefined
  subject: string
}): string {
  const wanted = account.preferredName ?? account.email ?? account.subject
  const allowed = wanted
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9._@+-]/g, '')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 64)
  return UserCreate.shape.username.safeParse(allowed).success
    ? allowed
    : `user-${Buffer.from(account.subject).toString('hex').slice(0, 32)}`
}

/** Of RFC 8176, the ways that are, or stand for, more than a password. */
const STRONG = new Set(['mfa', 'otp', 'hwk', 'swk', 'sc', 'fpt', 'face', 'iris'])

export const usedSecondFactor = (methods: string[]) => methods.some((method) => STRONG.has(method))

/** A path of this service: nothing that a browser takes for another host. */
export function isOwnPath(path: string): boolean {
  if (!/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path)) return false
  return URL.parse(path, 'https://soc.invalid')?.origin === 'https://soc.invalid'
}
