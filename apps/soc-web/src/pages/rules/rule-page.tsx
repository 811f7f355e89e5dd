import type { RulePreview } from '@manara/soc-contract/detection-content'
import type { DetectionRule } from '@manara/soc-contract/detections'
import { Choice } from '@manara/ui/parts/choice'
import { Switch } from '@manara/ui/parts/switch'
import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { api, attempt, notices, reads, route, session } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { SEVERITIES } from '../../parts/badges.tsx'
import { ReadState } from '../../parts/state.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useQuery } from '../../parts/use-query.ts'
import { useRead } from '../../parts/use-read.ts'
import { BASE, Refused, withQuery } from '../../stores/api.ts'
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
        <Editor rule={draft} />
      ) : (
        <ReadState read={read} rows={8}>
          {(rule) => <Editor key={rule.version} rule={rule} />}
        </ReadState>
      )}
    </div>
  )
}

type Draft = Partial<DetectionRule> & Pick<DetectionRule, 'name' | 'query' | 'alert_severity'>

/** The rule beside what it would have found: nobody switches on what they have not seen at work. */
function Editor({ rule }: { rule: Draft }) {
  const { w, t, count } = useWords()
  const id = useId()
  const mayWrite = session.may('detections:write')
  const name = useSignal(rule.name)
  const text = useSignal(rule.query)
  const source = useSignal(rule.source ?? '')
  const severity = useSignal(rule.alert_severity)
  const techniques = useSignal(rule.mitre_techniques?.join(', ') ?? '')
  const description = useSignal(rule.description ?? '')
  const autoCase = useSignal(rule.auto_create_case ?? false)
  const isOn = useSignal(rule.enabled ?? true)
  const problem = useSignal<Refused | null>(null)
  const preview = useSignal<RulePreview | 'asked' | null>(null)
  const isPlain = (rule.kind ?? 'query') === 'query'
  const body = () => ({
    ...{ name: name.value, query: text.value, alert_severity: severity.value },
    ...{ description: description.value, auto_create_case: autoCase.value, enabled: isOn.value },
    source: source.value || null,
    mitre_techniques: techniques.value.split(/[\s,]+/).filter(Boolean),
  })
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
              version: rule.version,
            })
          : await api.post<DetectionRule>('/detections/rules', body())
        await reads.renew('/detections')
        notices.done(w.saved)
        if (!rule.id) route.go(`/rules/${saved.id}`, 'replace')
      } catch (error) {
        if (error instanceof Refused && error.status === 409) throw new Error(w.stale)
        refused(error)
      }
    })
  const remove = () => {
    if (!confirm(w.sure)) return
    return attempt(async () => {
      await api.remove(`/detections/rules/${rule.id}`)
      await reads.renew('/detections')
      notices.done(w.removed)
      route.go('/rules')
    })
  }
  const saidAt = (field: string) =>
    problem.value?.field === field ? problem.value.message : undefined
  return (
    <div class="editor">
      <section class="editor-form">
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
