import { Field } from '@manara/ui/parts/field'
import { useSignal } from '@preact/signals'
import { say } from '../../here.ts'
import { words } from './words.ts'

type SoundFieldProps = { label: string; value: string; onSave(path: string): Promise<boolean> }

/** A sound on the card by its path; nothing for the chime that is built in. */
export function SoundField({ label, value, onSave }: SoundFieldProps) {
  const { t } = say.value
  const w = words()
  const typed = useSignal(value)
  return (
    <form
      class="with-button"
      onSubmit={(event) => {
        event.preventDefault()
        void onSave(typed.value.trim())
      }}
    >
      <Field
        label={label}
        value={typed.value}
        hint={typed.value === '' ? w.prayer.chime : w.prayer.soundHint}
        onType={(text) => {
          typed.value = text
        }}
        input={{
          dir: 'ltr',
          placeholder: 'adhan/makkah.mp3',
          autocapitalize: 'off',
          autocomplete: 'off',
          spellcheck: false,
        }}
      />
      {typed.value.trim() !== value && (
        <button type="submit" class="button">
          {t.save}
        </button>
      )}
    </form>
  )
}
