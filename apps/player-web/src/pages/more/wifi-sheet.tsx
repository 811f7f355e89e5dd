import { Field } from '@manara/ui/parts/field'
import { Sheet } from '@manara/ui/parts/sheet'
import { useSignal } from '@preact/signals'
import { api, attempt, box, notices, reasons, say } from '../../here.ts'
import { Refused } from '../../stores/api.ts'
import { words } from './words.ts'

export function WifiSheet({ onClose }: { onClose(): void }) {
  const { t, fill } = say.value
  const w = words()
  const settings = box.settings.value
  const ssid = useSignal(settings?.ssid ?? '')
  const password = useSignal('')
  const problem = useSignal<{ field: string; text: string } | null>(null)
  const isBusy = useSignal(false)

  async function join() {
    isBusy.value = true
    const body = { ssid: ssid.value, password: password.value }
    try {
      await api.post('/settings/wifi', body)
      notices.done(fill(w.wifi.joined, { s: ssid.value }))
      onClose()
    } catch (error) {
      if (error instanceof Refused && (error.field === 'ssid' || error.field === 'password')) {
        problem.value = { field: error.field, text: reasons.of(error) }
      } else await attempt(() => Promise.reject(error))
    } finally {
      isBusy.value = false
    }
  }

  return (
    <Sheet title={w.settings.wifi} closeLabel={t.close} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void join()
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
          problem={problem.value?.field === 'ssid' ? problem.value.text : undefined}
          onType={(text) => {
            ssid.value = text
            problem.value = null
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
          problem={problem.value?.field === 'password' ? problem.value.text : undefined}
          onType={(text) => {
            password.value = text
            problem.value = null
          }}
          input={{ dir: 'ltr', type: 'password', autocomplete: 'off' }}
        />
        <p class="small">{w.wifi.warning}</p>
        <button type="submit" class="button" data-look="main" disabled={isBusy.value}>
          {isBusy.value ? w.wifi.joining : w.wifi.join}
        </button>
      </form>
    </Sheet>
  )
}
