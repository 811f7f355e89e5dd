import { notFound } from '@manara/kit/errors'

/** The id in a path; what is no number cannot be the id of anything. */
export function recordId(what: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw notFound(what, text)
  return Number(text)
}
