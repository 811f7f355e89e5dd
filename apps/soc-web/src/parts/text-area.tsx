import type { Signal } from '@preact/signals'
import { useId } from 'preact/hooks'

type TextAreaProps = { label: string; of: Signal<string>; hint?: string; most?: number }

/** For more than a line. */
export function TextArea({ label, of, hint, most }: TextAreaProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        value={of.value}
        maxLength={most}
        placeholder={hint}
        onInput={({ currentTarget }) => {
          of.value = currentTarget.value
        }}
      />
    </div>
  )
}
