import type { RulePreview } from '@manara/soc-contract/detection-content'
import type { DetectionRule } from '@manara/soc-contract/detections'
import { useIsHere } from '@manara/ui/use-is-here'
import { useSignal } from '@preact/signals'
import { api, attempt, notices, reads, route } from '../../here.ts'
import { useLeadTo } from '../../parts/use-lead-to.ts'
import { Refused } from '../../stores/api.ts'
import { bodyOf, type Draft } from './draft.ts'
import type { RuleDraft } from './use-rule-draft.ts'
import { useWords } from './words.ts'

/** What the service is asked to do with the rule, and what it says to that. */
export function useRuleActs(rule: Draft, draft: RuleDraft) {
  const { w } = useWords()
  const path = `/detections/rules/${rule.id}`
  const problem = useSignal<Refused | null>(null)
  const preview = useSignal<RulePreview | 'asked' | null>(null)
  /** What it was tried with. */
  const tried = useSignal('')
  const leadTo = useLeadTo()
  const isHere = useIsHere()
  const refused = (error: unknown) => {
    if (!(error instanceof Refused) || error.status !== 400) throw error
    problem.value = error
  }

  const tryIt = () =>
    attempt(async () => {
      problem.value = null
      preview.value = 'asked'
      try {
        const body = bodyOf(draft.typed())
        tried.value = whatItFinds(body)
        preview.value = await api.post<RulePreview>('/detections/rules/preview', {
          ...body,
          ...kindOf(rule),
          ...(rule.id && { rule_id: rule.id }),
          ...(body.name === '' && { name: 'Draft' }),
        })
      } catch (error) {
        preview.value = null
        refused(error)
      }
    })

  const save = () =>
    attempt(async () => {
      problem.value = null
      try {
        const body = bodyOf(draft.typed())
        const saved = rule.id
          ? await api.patch<DetectionRule>(path, { ...body, version: draft.version() })
          : await api.post<DetectionRule>('/detections/rules', body)
        draft.saved(rule.id ? saved : undefined)
        await reads.renew('/detections')
        if (rule.id) return notices.done(w.saved)
        draft.forget()
        leadTo(`/rules/${saved.id}`, w.saved, 'replace')
      } catch (error) {
        if (!rule.id || !(error instanceof Refused) || error.status !== 409) return refused(error)
        draft.takeOver(await api.get<DetectionRule>(path))
        throw new Error(w.stale)
      }
    })

  const remove = () => {
    if (!confirm(w.sure)) return
    return attempt(async () => {
      await api.remove(path)
      notices.done(w.removed)
      draft.forget()
      if (isHere()) route.go('/rules')
      await reads.renew('/detections')
    })
  }

  const isTriedAsItIs = tried.value === whatItFinds(bodyOf(draft.typed()))
  return { problem, preview, isTriedAsItIs, tryIt, save, remove }
}

/** The rest of it changes what is made of a match. */
const whatItFinds = ({ query, source }: ReturnType<typeof bodyOf>) =>
  JSON.stringify([query, source])

/** What a rule of another kind has and the form does not show. */
function kindOf({ kind = 'query', threshold, new_terms, sequence }: Draft) {
  return kind === 'query' ? {} : { kind, threshold, new_terms, sequence }
}
