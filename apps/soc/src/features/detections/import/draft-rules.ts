import { AppError } from '@manara/kit/errors'
import { compilePredicate } from '@manara/log-query/predicate'
import { RuleCreate } from '@manara/soc-contract/detections'
import { ruleQueries } from '../domain/rule-query.ts'
import { checkFields } from '../rules/check-rule.ts'
import type { Draft, RuleFile, Skipped } from './drafts.ts'
import { draftOwn, isOwn } from './own-drafts.ts'
import { draftSigma } from './sigma-drafts.ts'

/** Every rule of the files is either a draft that can be stored and run, or skipped for a reason. */
export function draftRules(files: RuleFile[], enable: boolean, now: number) {
  const own = files.filter(isOwn).map((file) => draftOwn(file, enable))
  const read = [
    draftSigma(
      files.filter((file) => !isOwn(file)),
      enable,
      (rule) => typeof check(rule, now) !== 'string',
    ),
    ...own,
  ]
  const skipped: Skipped[] = read.flatMap((part) => part.skipped)
  const drafts: Draft[] = []
  const seen = new Map<string, string>()
  for (const { rule, ...draft } of read.flatMap((part) => part.drafts)) {
    // Without an id it is known by its text.
    const key = draft.external_id ?? draft.sigma_source?.trim() ?? ''
    const first = seen.get(key)
    const checked = first ? sameAs(first, draft.external_id) : check(rule, now)
    if (typeof checked === 'string') {
      skipped.push({ file: draft.file, reason: checked })
      continue
    }
    if (key !== '') seen.set(key, draft.file)
    drafts.push({ ...draft, rule: checked })
  }
  return { drafts, skipped }
}

const sameAs = (first: string, id: string | null) =>
  id === null ? `is the same as ${first}` : `has the same id as ${first}`

/** As if it had been posted: what could not be stored or run is told now. */
function check(fields: unknown, now: number): RuleCreate | string {
  const { success, data, error } = RuleCreate.safeParse(fields)
  if (!success) {
    const [issue] = error.issues
    return `${issue?.path.join('.') || 'rule'}: ${issue?.message}`
  }
  try {
    const techniques = checkFields(data).map(({ id }) => id)
    for (const query of ruleQueries(data, now)) compilePredicate(query)
    return { ...data, mitre_techniques: techniques }
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown.message
    return thrown instanceof Error ? thrown.message : String(thrown)
  }
}
