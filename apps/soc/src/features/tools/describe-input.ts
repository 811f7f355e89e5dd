import { plainly } from '@manara/kit/error-body'
import type { z } from 'zod'

/** As the routes say it: the field first, then what is wrong with it. */
export function describeInput(error: z.ZodError): string {
  const [issue] = error.issues
  if (!issue) return 'arguments: are not valid'
  const path = issue.path.join('.')
  if (issue.code === 'unrecognized_keys') {
    return `${path ? `${path}.` : ''}${issue.keys[0]}: is not a known field`
  }
  const message = /received undefined$/.test(issue.message) ? 'is required' : plainly(issue.message)
  return `${path || 'arguments'}: ${message}`
}
