import type { RulePreview } from '@manara/soc-contract/detection-content'
import { session } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { KeptNote } from '../../parts/kept-note.tsx'
import { Values } from '../../parts/what-is-done.tsx'
import { BASE, withQuery } from '../../stores/api.ts'
import type { Draft } from './draft.ts'
import { Preview } from './preview.tsx'
import { RuleFields } from './rule-fields.tsx'
import { RuleHistory } from './rule-history.tsx'
import { useRuleActs } from './use-rule-acts.ts'
import { useRuleDraft } from './use-rule-draft.ts'
import { useWords } from './words.ts'

/** The rule beside what it would have found: nobody switches on what they have not seen at work. */
export function RuleEditor({ rule }: { rule: Draft }) {
  const { w } = useWords()
  const mayWrite = session.may('detections:write')
  const draft = useRuleDraft(rule, mayWrite)
  const { problem, preview, isTriedAsItIs, ...acts } = useRuleActs(rule, draft)
  const theirs = draft.theirs.value
  return (
    <div class="editor">
      <section class="editor-form">
        {draft.isFromBefore && <KeptNote onDiscard={draft.discard} />}
        <RuleFields fields={draft.fields} problem={problem.value} mayWrite={mayWrite} />
        <Acts id={rule.id} mayWrite={mayWrite} {...acts} />
        {theirs.length > 0 && (
          <div class="note">
            <p>{w.theirs}</p>
            <Values of={Object.fromEntries(theirs)} />
          </div>
        )}
        {rule.warnings?.map((warning) => (
          <p class="note" key={warning}>
            {warning}
          </p>
        ))}
      </section>
      <section class="editor-side">
        <Trial preview={preview.value} isAsItIs={isTriedAsItIs} />
        {rule.id && <RuleHistory id={rule.id} />}
      </section>
    </div>
  )
}

type ActsProps = Pick<ReturnType<typeof useRuleActs>, 'tryIt' | 'save' | 'remove'> & {
  /** A rule that is not saved yet has none. */
  id: string | undefined
  mayWrite: boolean
}

function Acts({ id, mayWrite, tryIt, save, remove }: ActsProps) {
  const { w } = useWords()
  return (
    <div class="acts">
      {session.may('siem:search') && <Act onClick={tryIt}>{w.preview}</Act>}
      {mayWrite && (
        <Act look="main" onClick={save}>
          {w.save}
        </Act>
      )}
      {id && (
        <>
          <a class="act" href={`${BASE}/detections/rules/${id}/sigma`} download>
            {w.asSigma}
          </a>
          <a class="act" href={withQuery('/alerts', { rule_id: id, status: 'all' })}>
            {w.alerts}
          </a>
          {mayWrite && (
            <Act look="danger" onClick={remove}>
              {w.remove}
            </Act>
          )}
        </>
      )}
    </div>
  )
}

type TrialProps = { preview: RulePreview | 'asked' | null; isAsItIs: boolean }

function Trial({ preview, isAsItIs }: TrialProps) {
  const { w, count } = useWords()
  if (preview === 'asked') return <p aria-busy="true">{w.previewing}</p>
  if (preview) {
    return (
      <>
        {!isAsItIs && (
          <p class="note" role="status">
            {w.changedSince}
          </p>
        )}
        <Preview found={preview} />
      </>
    )
  }
  return (
    <p class="soft">
      {w.preview}: {count(w.previewDays, 7)}
    </p>
  )
}
