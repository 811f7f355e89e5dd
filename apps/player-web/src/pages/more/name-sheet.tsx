import { Field } from '@manara/ui/parts/field'
import { Sheet } from '@manara/ui/parts/sheet'
import { useIsHere } from '@manara/ui/use-is-here'
import { useSignal } from '@preact/signals'
import { api, attempt, box, say } from '../../here.ts'
import { words } from './words.ts'

const HOSTNAME = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i

export function NameSheet({ onClose }: { onClose(): void }) {
  const { t, fill } = say.value
  const w = words()
  const typed = useSignal(box.settings.value?.hostname ?? '')
  const isHere = useIsHere()
  const problem = useSignal<string | undefined>(undefined)
  return (
    <Sheet title={w.settings.name} closeLabel={t.close} onClose={onClose}>
      <form
        class="stack"
        onSubmit={async (event) => {
          event.preventDefault()
          if (!HOSTNAME.test(typed.value) || typed.value.length > 63) {
            problem.value = w.boxName.malformed
            return
          }
          const isDone = await attempt(() =>
            api.post('/settings/hostname', { hostname: typed.value }),
          )
          if (isDone && isHere()) onClose()
        }}
      >
        <Field
          label={w.boxName.label}
          value={typed.value}
          hint={fill(w.boxName.hint, { s: typed.value || '…' })}
          problem={problem.value}
          onType={(text) => {
            // Keyboards of phones put a blank behind a word.
            typed.value = text.trim()
            problem.value = undefined
          }}
          input={{
            dir: 'ltr',
            autocapitalize: 'off',
            autocomplete: 'off',
            spellcheck: false,
            maxLength: 63,
          }}
        />
        <button type="submit" class="button" data-look="main">
          {t.save}
        </button>
      </form>
    </Sheet>
  )
}
