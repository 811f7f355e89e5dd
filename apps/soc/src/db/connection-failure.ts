import { AppError, unavailable } from '@manara/kit/errors'

const NETWORK = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'ENOENT', 'EPIPE', 'ETIMEDOUT'],
  // The host is switched off, our own network is, or the name server is.
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL'],
  ...['ENOTFOUND', 'EAI_AGAIN'],
])
// Class 08: connection exception; 57P: the server is shutting down or starting up; class 53: it is
// out of connections, memory or disk; 25006: it is a standby that only reads; class 28 and 3D: it
// lets nobody in, as when its password was changed or the database is being replaced.
const SQLSTATE = /^(08...|57P0[1-3]|53...|25006|28...|3D...)$/
const CLIENT =
  /Connection terminated|timeout exceeded when trying to connect|Client was closed|not queryable/
/** As the driver says it. */
export const NO_ANSWER = 'Query read timeout'

/** True when the database could not be reached, as against a statement it refused. */
export function isConnectionFailure(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return NETWORK.has(code) || SQLSTATE.test(code) || CLIENT.test(message) || isSilence(error)
}

/** True when the server undid a transaction in favour of another one (deadlock, serialisation). */
export function isCollision(error: unknown): boolean {
  return /^40(001|P01)$/.test((error as { code?: string }).code ?? '')
}

/** True when somebody else has stored the same name or key in between. */
export function isTaken(error: unknown): boolean {
  return (error as { code?: string }).code === '23505'
}

/** True when the same work may succeed later: an engine is away, or others were in the way too often. */
export function isTemporary(error: unknown): boolean {
  const isRefused = error instanceof AppError && (error.status >= 500 || error.status === 409)
  return isConnectionFailure(error) || isCollision(error) || isRefused
}

/** True when the connection stands but nobody answers. */
export function isSilence(error: unknown): boolean {
  return (error as { message?: string }).message === NO_ANSWER
}

/** True when PostgreSQL has no room for what it was to write. */
export function isDatabaseFull(error: unknown): boolean {
  return (error as { code?: string } | null)?.code === '53100'
}

/** True when PostgreSQL takes no changes: a standby, or one that was told to. */
export function isReadOnlyFailure(error: unknown): boolean {
  return (error as { code?: string } | null)?.code === '25006'
}

/** What a caller is told while the database is away: nothing was done, and the call may be repeated. */
export function explainDatabaseFailure(error: unknown): unknown {
  if (isDatabaseFull(error)) {
    return unavailable(
      'the disk of the database is full: nothing was changed, free space there and try again',
      error,
    )
  }
  if (isReadOnlyFailure(error)) {
    return unavailable(
      'the database only reads: nothing was changed, let it take changes and try again',
      error,
    )
  }
  return isConnectionFailure(error)
    ? unavailable('the database is unavailable: nothing was changed, try again shortly', error)
    : error
}
