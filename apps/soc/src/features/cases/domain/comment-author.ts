import { AppError } from '@manara/kit/errors'

/** The author is the caller; only those who write on behalf of others may name another. */
export function commentAuthor(caller: { username: string; role: string }, named?: string): string {
  if (named === undefined || named === caller.username) return caller.username
  if (caller.role === 'service' || caller.role === 'admin') return named
  throw new AppError(403, 'author: only service and admin may name another author')
}
