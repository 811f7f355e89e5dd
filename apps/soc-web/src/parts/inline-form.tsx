import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Act } from './act.tsx'

type InlineFormProps = {
  label: string
  /** Where what is typed is kept. */
  of: Signal<string>
  addLabel: string
  onAdd(): void
  /** What is chosen beside it. */
  children?: ComponentChildren
}

/** One line to add something to a list. */
export const InlineForm = ({ label, of, addLabel, onAdd, children }: InlineFormProps) => (
  <form
    class="inline-form"
    onSubmit={(event) => {
      event.preventDefault()
      onAdd()
    }}
  >
    {children}
    <input
      class="pick"
      aria-label={label}
      placeholder={label}
      value={of.value}
      onInput={({ currentTarget }) => {
        of.value = currentTarget.value
      }}
    />
    <Act disabled={of.value.trim() === ''} onClick={onAdd}>
      {addLabel}
    </Act>
  </form>
)
