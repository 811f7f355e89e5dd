import type { PlaybookParameter } from '@manara/soc-contract/playbooks'
import { Field } from '@manara/ui/parts/field'
import { Select } from '@manara/ui/parts/select'
import { nameInWords } from '../../parts/in-words.ts'
import { faultOf } from './parameters.ts'
import { useWords } from './words.ts'

type ParameterFieldProps = {
  name: string
  of: PlaybookParameter
  text: string
  /** What the service says of it. */
  problem: string | undefined
  onType(text: string): void
}

/** One parameter as its playbook declares it. */
export function ParameterField({ name, of, text, problem, onType }: ParameterFieldProps) {
  const { w, t, fill } = useWords()
  const { type, required, description } = of
  const words = nameInWords(name)
  const label = required ? fill(w.required, { name: words }) : words
  if (type === 'boolean' || type === 'enum') {
    const options =
      type === 'enum'
        ? (of.values ?? []).map((value) => ({ value, label: value }))
        : [
            { value: 'true', label: t.yes },
            { value: 'false', label: t.no },
          ]
    // What has a default is always one of them.
    const isOpen = of.default === null
    const hint = problem ?? description
    return (
      <Select
        label={label}
        value={text}
        options={isOpen ? [{ value: '', label: '–' }, ...options] : options}
        onChoose={onType}
        {...(hint ? { hint } : {})}
      />
    )
  }
  const isWrong = faultOf(of, text) === 'number'
  return (
    <Field
      label={label}
      value={text}
      hint={description ?? undefined}
      problem={isWrong ? w.noNumber : problem}
      onType={onType}
      input={{
        ...{ dir: 'auto', autocomplete: 'off', required },
        ...(type === 'number' ? { inputMode: 'decimal' } : {}),
      }}
    />
  )
}
