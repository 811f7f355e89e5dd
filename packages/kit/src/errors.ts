/** A failure the caller may be told about. Anything else that is thrown is a bug and becomes a 500. */
export class AppError extends Error {
  override name = 'AppError'
  readonly status: number
  /** Seconds until the same call may succeed; becomes the `Retry-After` header. */
  readonly retryAfter: number | undefined

  constructor(status: number, message: string, options?: ErrorOptions & { retryAfter?: number }) {
    super(message, options)
    this.status = status
    this.retryAfter = options?.retryAfter
  }
}

/** Something the owner can mend before the next start: told in one line, without a stack. */
export class StartError extends Error {
  override name = 'StartError'
}

export const invalid = (field: string, why: string) => new AppError(400, `${field}: ${why}`)
export const unauthorized = (why = 'missing or invalid token') => new AppError(401, why)
export const forbidden = (permission: string) => new AppError(403, `requires ${permission}`)
export const notFound = (what: string, id: string | number) =>
  new AppError(404, `${what} ${id} not found`)
export const conflict = (message: string) => new AppError(409, message)
export const unavailable = (message: string, cause?: unknown) =>
  new AppError(503, message, { cause })
export const tooMany = (what: string, retryAfter: number) =>
  new AppError(429, `too many ${what} requests: try again in ${retryAfter} s`, { retryAfter })
