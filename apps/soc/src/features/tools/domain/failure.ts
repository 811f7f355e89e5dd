import { AppError } from '@manara/kit/errors'
import type { ToolEnvelope, ToolErrorCode } from '@manara/soc-contract/tools'

const CODES: Record<number, ToolErrorCode> = {
  400: 'INVALID_ARGUMENT',
  401: 'PERMISSION_DENIED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  429: 'RATE_LIMITED',
  503: 'UNAVAILABLE',
}

export const failure = (error_code: ToolErrorCode, error: string): ToolEnvelope => ({
  status: 'error',
  error_code,
  error,
})

/** An error that may be told; nothing for a bug, of which the caller gets a reference only. */
export function tellable(error: unknown): ToolEnvelope | undefined {
  if (!(error instanceof AppError)) return undefined
  const code = CODES[error.status]
  return code && failure(code, error.message)
}
