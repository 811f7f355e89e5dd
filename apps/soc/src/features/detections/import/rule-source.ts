import { isUtf8 } from 'node:buffer'
import { invalid } from '@manara/kit/errors'
import { RuleImportFiles } from '@manara/soc-contract/detection-content'
import type { z } from 'zod'

/** Bytes of any type: it shows later whether they are an archive, JSON or YAML. */
export function mustHaveBody(body: unknown): Buffer {
  if (Buffer.isBuffer(body) && body.length > 0) return body
  throw invalid('body', 'is empty: send a YAML text, {"files": […]}, or an archive')
}

export const filesInJson = (body: Uint8Array): RuleImportFiles =>
  checked(RuleImportFiles, parseJson(body), 'body')

export function checked<Schema extends z.ZodType>(schema: Schema, value: unknown, name: string) {
  const { success, data, error } = schema.safeParse(value)
  if (success) return data
  const [issue] = error.issues
  throw invalid(issue?.path.join('.') || name, issue?.message ?? 'is not understood')
}

function parseJson(body: Uint8Array): unknown {
  if (!isUtf8(body)) throw invalid('body', 'is not valid UTF-8')
  try {
    return JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8'))
  } catch {
    throw invalid('body', 'is not JSON')
  }
}
