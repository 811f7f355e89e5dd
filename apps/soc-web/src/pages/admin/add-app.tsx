import { useSignal } from '@preact/signals'
import { api, attempt } from '../../here.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useWords } from './words.ts'

export type AppBegun = { flow: string; secret: string; qr_svg: string }
type AddAppProps = {
  begun: AppBegun
  onClose(): void
  onAdded(recoveryCodes: string[] | null): void
}

export function AddApp({ begun: { flow, secret, qr_svg }, onClose, onAdded }: AddAppProps) {
  const { w } = useWords()
  const code = useSignal('')
  /** Apps show them as `123 456`. */
  const digits = () => code.value.replaceAll(/\s/g, '')
  const confirm = () =>
    attempt(async () => {
      const added = await api.post<{ recovery_codes: string[] | null }>(
        '/auth/second-factors/totp/confirm',
        { flow, code: digits() },
      )
      onAdded(added.recovery_codes)
    })
  return (
    <Dialog title={w.factor.addApp} onClose={onClose}>
      <p>{w.factor.scan}</p>
      <img class="qr" alt={w.factor.qr} src={`data:image/svg+xml,${encodeURIComponent(qr_svg)}`} />
      <details>
        <summary>{w.factor.noCamera}</summary>
        <code class="mono">{secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
      </details>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void confirm()
        }}
      >
        <TextField
          label={w.factor.digits}
          of={code}
          input={{ inputMode: 'numeric', autocomplete: 'one-time-code', maxLength: 9 }}
        />
        <div class="acts">
          <button type="submit" class="act" data-look="main" disabled={!/^\d{6}$/.test(digits())}>
            {w.factor.addIt}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
