import { Field } from '@manara/ui/parts/field'
import { Icon } from '@manara/ui/parts/icon'
import { Sheet } from '@manara/ui/parts/sheet'
import { useOnce } from '@manara/ui/use-once'
import { useSignal } from '@preact/signals'
import { access, api, attempt, box, notices, say } from '../../here.ts'
import { words } from './words.ts'

/** Everything but the recitations is forgotten, so the name of the box has to be typed. */
export function ResetSheet({ onClose }: { onClose(): void }) {
  const { t, fill } = say.value
  const w = words()
  const typed = useSignal('')
  const hostname = box.settings.value?.hostname ?? ''
  const isSure = typed.value.trim().toLowerCase() === hostname.toLowerCase() && hostname !== ''
  const { busy, run } = useOnce(() =>
    attempt(async () => {
      await api.post('/reset')
      access.forget()
      notices.done(w.reset.done)
      onClose()
    }),
  )
  return (
    <Sheet title={w.settings.reset} closeLabel={t.close} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (isSure) void run()
        }}
      >
        <p>{w.reset.what}</p>
        <Field
          label={fill(w.reset.type, { s: hostname })}
          value={typed.value}
          onType={(text) => {
            typed.value = text
          }}
          input={{ dir: 'ltr', autocapitalize: 'off', autocomplete: 'off', spellcheck: false }}
        />
        <button type="submit" class="button" data-look="danger" disabled={!isSure} {...busy}>
          <Icon name="trash" />
          {w.reset.doIt}
        </button>
      </form>
    </Sheet>
  )
}
