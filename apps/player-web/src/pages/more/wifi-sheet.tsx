import { Field } from '@manara/ui/parts/field'
import { Sheet } from '@manara/ui/parts/sheet'
import { useIsHere } from '@manara/ui/use-is-here'
import { useOnce } from '@manara/ui/use-once'
import { useSignal } from '@preact/signals'
import { api, attempt, box, notices, reasons, say } from '../../here.ts'
import { Refused } from '../../stores/api.ts'
import { words } from './words.ts'

export function WifiSheet({ onClose }: { onClose(): void }) {
  const { t, fill } = say.value
  const w = words()
  const isHere = useIsHere()
  const settings = box.settings.value
  const ssid = useSignal(settings?.ssid ?? '')
  const password = useSignal('')
  const refused = useSignal<Refused | null>(null)
  const problemOf = (field: string) =>
    refused.value?.field === field ? reasons.of(refused.value) : undefined

  const { busy, run } = useOnce(() =>
    attempt(async () => {
      try {
        await api.post('/settings/wifi', { ssid: ssid.value, password: password.value })
        notices.done(fill(w.wifi.joined, { s: ssid.value }))
        if (isHere()) onClose()
      } catch (error) {
        const isOfField =
          error instanceof Refused && (error.field === 'ssid' || error.field === 'password')
        if (!isOfField) throw error
        refused.value = error
      }
    }),
  )

  return (
    <Sheet title={w.settings.wifi} closeLabel={t.close} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        <p>
          {settings?.wifi_connected
            ? fill(w.wifi.connected, { s: settings.ssid, ip: settings.ip })
            : w.wifi.notConnected}
        </p>
        <Field
          label={w.wifi.ssid}
          value={ssid.value}
          problem={problemOf('ssid')}
          onType={(text) => {
            ssid.value = text
            refused.value = null
          }}
          input={{
            dir: 'auto',
            autocapitalize: 'off',
            autocomplete: 'off',
            spellcheck: false,
            required: true,
          }}
        />
        <Field
          label={w.wifi.password}
          value={password.value}
          hint={w.wifi.passwordHint}
          problem={problemOf('password')}
          onType={(text) => {
            password.value = text
            refused.value = null
          }}
          input={{ dir: 'ltr', type: 'password', autocomplete: 'off' }}
        />
        <p class="small">{w.wifi.warning}</p>
        <button type="submit" class="button" data-look="main" {...busy}>
          {busy['aria-busy'] ? w.wifi.joining : w.wifi.join}
        </button>
      </form>
    </Sheet>
  )
}
