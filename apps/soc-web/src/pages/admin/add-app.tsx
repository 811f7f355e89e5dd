import { useSignal } from '@preact/signals'
import { Dialog } from '../../parts/dialog.tsx'
import { DialogForm } from '../../parts/dialog-form.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useWords } from './words.ts'

export type AppBegun = { flow: string; secret: string; qr_svg: string }
type AddAppProps = {
  begun: AppBegun
  onClose(): void
  /** Resolves with whether it is added. */
  onConfirm(proof: { flow: string; code: string }): Promise<boolean>
}

export function AddApp({ begun: { flow, secret, qr_svg }, onClose, onConfirm }: AddAppProps) {
  const { w } = useWords()
  const code = useSignal('')
  /** Apps show them as `123 456`. */
  const digits = () => code.value.replaceAll(/\s/g, '')
  return (
    <Dialog title={w.factor.addApp} onClose={onClose}>
      <p>{w.factor.scan}</p>
      <img class="qr" alt={w.factor.qr} src={`data:image/svg+xml,${encodeURIComponent(qr_svg)}`} />
      <details>
        <summary>{w.factor.noCamera}</summary>
        <code class="mono">{secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
      </details>
      <DialogForm
        sendLabel={w.factor.addIt}
        isReady={/^\d{6}$/.test(digits())}
        onSend={() => onConfirm({ flow, code: digits() })}
        onClose={onClose}
      >
        <TextField
          label={w.factor.digits}
          of={code}
          input={{ inputMode: 'numeric', autocomplete: 'one-time-code', maxLength: 9 }}
        />
      </DialogForm>
    </Dialog>
  )
}
