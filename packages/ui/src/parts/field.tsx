import type { InputHTMLAttributes } from 'preact'
import { useId } from 'preact/hooks'

type FieldProps = {
  label: string
  value: string
  hint?: string | undefined
  /** Why it cannot be taken; said at the field, since it is about the field. */
  problem?: string | undefined
  onType(value: string): void
  input?: InputHTMLAttributes<HTMLInputElement>
}

export function Field({ label, value, hint, problem, onType, input = {} }: FieldProps) {
  const id = useId()
  const said = problem ?? hint
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...input}
        id={id}
        value={value}
        aria-invalid={problem ? 'true' : undefined}
        aria-describedby={said ? `${id}-said` : undefined}
        onInput={({ currentTarget }) => onType(currentTarget.value)}
      />
      <small
        id={`${id}-said`}
        class={problem ? 'bad' : undefined}
        role={problem ? 'alert' : undefined}
        dir="auto"
      >
        {said}
      </small>
    </div>
  )
}
