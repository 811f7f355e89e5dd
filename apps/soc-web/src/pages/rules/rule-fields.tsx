import { Choice } from '@manara/ui/parts/choice'
import { Switch } from '@manara/ui/parts/switch'
import type { Signal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { SEVERITIES } from '../../parts/badges.tsx'
import { TextField } from '../../parts/text-field.tsx'
import type { Refused } from '../../stores/api.ts'
import type { Fields } from './use-rule-draft.ts'
import { useWords } from './words.ts'

/** At these a refusal is said; one of anything else below them all. */
const OWN_WORD = ['name', 'query', 'source', 'mitre_techniques', 'description'] as const

type RuleFieldsProps = { fields: Fields; problem: Refused | null; mayWrite: boolean }

export function RuleFields({ fields, problem, mayWrite }: RuleFieldsProps) {
  const { w, t } = useWords()
  const id = useId()
  const about = OWN_WORD.find((name) => problem?.field?.split(/[.[]/)[0] === name)
  const saidAt = (field: string) => (about === field ? problem?.message : undefined)
  return (
    <>
      <TextField label={w.name} of={fields.name} problem={saidAt('name')} />
      <div class="field">
        <label for={id}>{w.query}</label>
        <textarea
          id={id}
          class="mono"
          spellcheck={false}
          readOnly={!mayWrite}
          value={fields.query.value}
          aria-invalid={saidAt('query') ? 'true' : undefined}
          onInput={({ currentTarget }) => {
            fields.query.value = currentTarget.value
          }}
        />
        {saidAt('query') && (
          <small class="bad" role="alert">
            {saidAt('query')}
          </small>
        )}
      </div>
      <TextField label={w.source} of={fields.source} problem={saidAt('source')} />
      <Choice
        label={w.severityOf}
        value={fields.alert_severity.value}
        options={SEVERITIES.map((value) => ({ value, label: t.severity[value] }))}
        onChoose={(value) => {
          fields.alert_severity.value = value
        }}
      />
      <TextField
        label={w.techniques}
        of={fields.mitre_techniques}
        problem={saidAt('mitre_techniques')}
      />
      <TextField label={w.description} of={fields.description} problem={saidAt('description')} />
      <SwitchField label={w.autoCase} of={fields.auto_create_case} />
      <SwitchField label={w.enabled} of={fields.enabled} />
      {problem && !about && (
        <p class="bad" role="alert">
          {problem.message}
        </p>
      )}
    </>
  )
}

const SwitchField = ({ label, of }: { label: string; of: Signal<boolean> }) => (
  <Switch
    label={label}
    isOn={of.value}
    onSwitch={(next) => {
      of.value = next
    }}
  />
)
