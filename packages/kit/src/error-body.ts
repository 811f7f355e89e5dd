import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { AppError } from './errors.ts'

export type Described = { status: number; message: string; retryAfter?: number | undefined }

/** What a caller is told about an error: the field and the reason of a 4xx, nothing of a bug. */
export function describeError(error: unknown): Described {
  if (hasZodFastifySchemaValidationErrors(error)) {
    const [first] = error.validation
    return { status: 400, message: first ? describeIssue(first, error.validationContext) : 'body' }
  }
  if (error instanceof AppError) {
    return { status: error.status, message: error.message, retryAfter: error.retryAfter }
  }
  return FRAMEWORK[codeOf(error)] ?? { status: 500, message: 'internal error' }
}

// The contracts know 400 for every malformed request, so 413 and 415 become one too.
const FRAMEWORK: Record<string, Described> = {
  FST_ERR_CTP_INVALID_JSON_BODY: { status: 400, message: 'body: is not valid JSON' },
  FST_ERR_CTP_EMPTY_JSON_BODY: { status: 400, message: 'body: is empty' },
  FST_ERR_CTP_BODY_TOO_LARGE: { status: 400, message: 'body: is too large' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    status: 400,
    message: 'content-type: send application/json',
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    status: 400,
    message: 'content-length: does not match the body',
  },
  FST_ERR_BAD_URL: { status: 400, message: 'url: is not a valid path' },
  FST_ERR_MAX_PARAM_LENGTH: { status: 404, message: 'no such path' },
  // The method QUERY, which no path has.
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: { status: 404, message: 'no such path' },
}

function codeOf(error: unknown): string {
  const { code, name } = error as { code?: string; name?: string }
  // What JSON.parse throws when the body holds __proto__ or is cut off.
  if (name === 'SyntaxError') return 'FST_ERR_CTP_INVALID_JSON_BODY'
  return code ?? ''
}

type Issue = { keyword: string; instancePath: string; message?: string; params: object }

function describeIssue(issue: Issue, part = 'body'): string {
  const path = issue.instancePath.slice(1).replaceAll('/', '.')
  const { keys, input } = issue.params as { keys?: string[]; input?: unknown }
  if (issue.keyword === 'unrecognized_keys' && keys?.[0]) {
    return `${path ? `${path}.` : ''}${keys[0]}: is not a known field`
  }
  const field = path || part
  const message = issue.message ?? 'is not valid'
  if (/received undefined$/.test(message) && input === undefined) return `${field}: is required`
  return `${field}: ${plainly(message)}`
}

/** What a schema says about a value, in our words. */
export const plainly = (message: string) =>
  message.replace(/^Invalid (input|option): /, '').replace(SIZE, sayLimit)

/** `Too big: expected string to have <=200 characters`. */
const SIZE = /^Too \w+: expected \w+ to (have|be) ([<>]=?|exactly )/
const LIMITS: Record<string, string> = {
  ...{ '<=': 'at most', '<': 'less than', '>=': 'at least', '>': 'more than' },
  'exactly ': 'exactly',
}
const sayLimit = (_: string, verb: string, sign: string) => `must ${verb} ${LIMITS[sign]} `
