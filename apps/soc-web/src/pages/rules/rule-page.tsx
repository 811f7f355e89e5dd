import type { RulePreview } from '@manara/soc-contract/detection-content'
import type { DetectionRule } from '@manara/soc-contract/detections'
import { Choice } from '@manara/ui/parts/choice'
import { Switch } from '@manara/ui/parts/switch'
import { useSignal } from '@preact/signals'
import { useEffect, useId, useLayoutEffect, useMemo } from 'preact/hooks'
import { api, attempt, notices, reads, route, session, unsent } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { SEVERITIES } from '../../parts/badges.tsx'
import { KeptNote } from '../../parts/kept-note.tsx'
import { ReadState } from '../../parts/state.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useQuery } from '../../parts/use-query.ts'
import { useRead } from '../../parts/use-read.ts'
import { Values as Fields } from '../../parts/what-is-done.tsx'
import { BASE, Refused, withQuery } from '../../stores/api.ts'
import {
  bodyOf,
  type Draft,
  isChanged,
  merged,
  type Unsaved,
  type Values,
  valuesOf,
} from './draft.ts'
import { Head } from './head.tsx'
import { Preview } from './preview.tsx'
import { RuleHistory } from './rule-history.tsx'
import { useWords } from './words.ts'

export function RulePage({ id }: { id: string }) {
  const query = useQuery()
  const isNew = id === 'new'
  const read = useRead<DetectionRule>(isNew ? null : `/detections/rules/${id}`)
  const draft = { name: '', query: query.get('query'), alert_severity: 'medium' } as const
  return (
    <div class="rules">
      <Head current={isNew ? '/rules/new' : `/rules/${id}`} />
      {isNew ? (
        <Editor key={draft.query} rule={draft} />
      ) : (
        <ReadState read={read} rows={8}>
          {(rule) => <Editor rule={rule} />}
        </ReadState>
      )}
    </div>
  )
}

/** The rule beside what it would have found: nobody switches on what they have not seen at work. */
function Editor({ rule }: { rule: Draft }) {
  const { w, t, count } = useWords()
  const id = useId()
  const mayWrite = session.may('detections:write')
  const draftName = `rule ${rule.id ?? `new ${rule.query}`}`
  const kept = useMemo(() => unsent.draft<Unsaved>(draftName), [])
  const first = kept?.typed ?? valuesOf(rule)
  const name = useSignal(first.name)
  const text = useSignal(first.query)
  const source = useSignal(first.source)
  const severity = useSignal(first.alert_severity)
  const techniques = useSignal(first.mitre_techniques)
  const description = useSignal(first.description)
  const autoCase = useSignal(first.auto_create_case)
  const isOn = useSignal(first.enabled)
  /** What was typed began with this. */
  const base = useSignal(kept?.base ?? rule)
  const theirs = useSignal<[name: string, value: unknown][]>([])
  const problem = useSignal<Refused | null>(null)
  const preview = useSignal<RulePreview | 'asked' | null>(null)
  const isPlain = (rule.kind ?? 'query') === 'query'
  const typed = (): Values => ({
    ...{ name: name.value, query: text.value, alert_severity: severity.value },
    ...{ description: description.value, auto_create_case: autoCase.value, enabled: isOn.value },
    ...{ source: source.value, mitre_techniques: techniques.value },
  })
  const body = () => bodyOf(typed())
  /** The rule as it is by now, without losing anything that was typed. */
  function takeOver(now: Draft) {
    const { values, both } = merged(valuesOf(base.value), typed(), valuesOf(now))
    base.value = now
    theirs.value = both.map((field) => [field, valuesOf(now)[field]])
    fillIn(values)
  }
  function fillIn(values: Values) {
    ;[name.value, text.value, source.value] = [values.name, values.query, values.source]
    ;[severity.value, techniques.value] = [values.alert_severity, values.mitre_techniques]
    ;[description.value, autoCase.value] = [values.description, values.auto_create_case]
    isOn.value = values.enabled
  }
  useEffect(() => {
    if (rule.version !== base.value.version) takeOver(rule)
  }, [rule.version])
  const now: Unsaved = { base: base.value, typed: typed() }
  const isUnsaved = mayWrite && isChanged(now)
  useLayoutEffect(() => unsent.keepDraft(draftName, isUnsaved ? now : undefined))
  const discard = () => {
    theirs.value = []
    fillIn(valuesOf(base.value))
  }
  const refused = (error: unknown) => {
    if (!(error instanceof Refused) || error.status !== 400) throw error
    problem.value = error
  }
  const tryIt = () =>
    attempt(async () => {
      problem.value = null
      preview.value = 'asked'
      try {
        const kept = isPlain
          ? {}
          : {
              kind: rule.kind,
              threshold: rule.threshold,
              new_terms: rule.new_terms,
              sequence: rule.sequence,
            }
        preview.value = await api.post<RulePreview>('/detections/rules/preview', {
          ...body(),
          ...kept,
          ...(rule.id && { rule_id: rule.id }),
          ...(name.value === '' && { name: 'Draft' }),
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
        const saved = rule.id
          ? await api.patch<DetectionRule>(`/detections/rules/${rule.id}`, {
              ...body(),
              version: base.value.version,
            })
          : await api.post<DetectionRule>('/detections/rules', body())
        theirs.value = []
        base.value = { ...base.value, ...(rule.id && !('preview' in saved) ? saved : {}) }
        await reads.renew('/detections')
        notices.done(w.saved)
        // A preview is of a rule that is not there.
        if (rule.id || 'preview' in saved) return
        unsent.keepDraft(draftName, undefined)
        route.go(`/rules/${saved.id}`, 'replace')
      } catch (error) {
        if (!rule.id || !(error instanceof Refused) || error.status !== 409) return refused(error)
        takeOver(await api.get<DetectionRule>(`/detections/rules/${rule.id}`))
        throw new Error(w.stale)
      }
    })
  const remove = () => {
    if (!confirm(w.sure)) return
    return attempt(async () => {
      await api.remove(`/detections/rules/${rule.id}`)
      await reads.renew('/detections')
      notices.done(w.removed)
      unsent.keepDraft(draftName, undefined)
      route.go('/rules')
    })
  }
  const saidAt = (field: string) =>
    problem.value?.field === field ? problem.value.message : undefined
  return (
    <div class="editor">
      <section class="editor-form">
        {kept && isUnsaved && <KeptNote onDiscard={discard} />}
        <TextField label={w.name} of={name} problem={saidAt('name')} />
        <div class="field">
          <label for={id}>{w.query}</label>
          <textarea
            id={id}
            class="mono"
            spellcheck={false}
            readOnly={!mayWrite}
            value={text.value}
            aria-invalid={saidAt('query') ? 'true' : undefined}
            onInput={({ currentTarget }) => {
              text.value = currentTarget.value
            }}
          />
          {problem.value && (
            <small class="bad" role="alert">
              {problem.value.message}
            </small>
          )}
        </div>
        <TextField label={w.source} of={source} problem={saidAt('source')} />
        <Choice
          label={w.severityOf}
          value={severity.value}
          options={SEVERITIES.map((value) => ({ value, label: t.severity[value] }))}
          onChoose={(value) => {
            severity.value = value
          }}
        />
        <TextField label={w.techniques} of={techniques} problem={saidAt('mitre_techniques')} />
        <TextField label={w.description} of={description} />
        <Switch
          label={w.autoCase}
          isOn={autoCase.value}
          onSwitch={(next) => {
            autoCase.value = next
          }}
        />
        <Switch
          label={w.enabled}
          isOn={isOn.value}
          onSwitch={(next) => {
            isOn.value = next
          }}
        />
        <div class="acts">
          {session.may('siem:search') && <Act onClick={() => tryIt()}>{w.preview}</Act>}
          {mayWrite && (
            <Act look="main" onClick={() => save()}>
              {w.save}
            </Act>
          )}
          {rule.id && (
            <>
              <a class="act" href={`${BASE}/detections/rules/${rule.id}/sigma`} download>
                {w.asSigma}
              </a>
              <a class="act" href={withQuery('/alerts', { rule_id: rule.id, status: 'all' })}>
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
        {theirs.value.length > 0 && (
          <div class="note">
            <p>{w.theirs}</p>
            <Fields of={Object.fromEntries(theirs.value)} />
          </div>
        )}
        {rule.warnings?.map((warning) => (
          <p class="note" key={warning}>
            {warning}
          </p>
        ))}
      </section>
      <section class="editor-side">
        {preview.value === 'asked' ? (
          <p aria-busy="true">{w.previewing}</p>
        ) : preview.value ? (
          <Preview found={preview.value} />
        ) : (
          <p class="soft">
            {w.preview}: {count(w.previewDays, 7)}
          </p>
        )}
        {rule.id && <RuleHistory id={rule.id} />}
      </section>
    </div>
  )
}
