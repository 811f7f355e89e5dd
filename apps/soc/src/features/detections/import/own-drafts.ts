import { parseAllDocuments } from 'yaml'
import type { RawDraft, RuleFile, Skipped } from './drafts.ts'

/** Rules in this service's own words: the body of `POST /detections/rules`, with an `id`. */
export function draftOwn({ name, content }: RuleFile, enable: boolean) {
  const drafts: RawDraft[] = []
  const skipped: Skipped[] = []
  const documents = parseAllDocuments(content)
  for (const [index, document] of (Array.isArray(documents) ? documents : []).entries()) {
    const file = documents.length === 1 ? name : `${name} (document ${index + 1})`
    const [error] = document.errors
    const value: unknown = error ? undefined : document.toJS({ maxAliasCount: 10 })
    if (error || typeof value !== 'object' || value === null) {
      const why = error?.message.split('\n')[0] ?? 'a rule is a map of id, name, query …'
      skipped.push({ file, reason: `not YAML: ${why}` })
      continue
    }
    // `tests` are for whoever keeps the file.
    const { id, tests: _, ...rule } = value as Record<string, unknown>
    if (typeof id !== 'string' || id.trim() === '') {
      skipped.push({ file, reason: 'id is missing: without one a later import could not find it' })
      continue
    }
    const enabled = enable && rule.enabled !== false
    drafts.push({
      file,
      external_id: id,
      sigma_source: null,
      source_query: null,
      isPlain: false,
      warnings: [],
      stated: Object.keys(rule),
      rule: { ...rule, enabled },
    })
  }
  return { drafts, skipped }
}

/** Sigma has a detection or a correlation, ours has a query. */
export const isOwn = ({ content }: RuleFile) =>
  /^query\s*:/m.test(content) && !/^(detection|correlation)\s*:/m.test(content)
