import { AppError, invalid } from '@manara/kit/errors'

const LOST = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ABORT_ERR'])

/** Whose fault it is: a lost connection or a bad image is a 400, a disk that refuses a 500. */
export function refusal(error: unknown): AppError {
  if (error instanceof AppError) return error
  const { code = '', syscall, message } = error as NodeJS.ErrnoException
  if (LOST.has(code)) return invalid('image', 'was cut off: the connection was lost')
  if (syscall !== undefined) return new AppError(500, `update: ${message}`, { cause: error })
  return invalid('image', message)
}
