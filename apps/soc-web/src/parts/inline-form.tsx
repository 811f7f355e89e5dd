import { useOnce } from '@manara/ui/use-once'
import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Act } from './act.tsx'

type InlineFormProps = {
  label: string
  /** Where what is typed is kept. */
  of: Signal<string>
  addLabel: string
  onAdd(): unknown
  /** What is chosen beside it. */
  children?: ComponentChildren
}

/** One line to add something to a list. */
export function InlineForm({ label, of, addLabel, onAdd, children }: InlineFormProps) {
  // By its button or by Enter: one and the same, once at a time.
  const { run } = useOnce(onAdd)
  return (
    <form
      class="inline-form"
      onSubmit={(event) => {
        event.preventDefault()
        void run()
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
      <Act disabled={of.value.trim() === ''} onClick={run}>
        {addLabel}
      </Act>
    </form>
  )
}
