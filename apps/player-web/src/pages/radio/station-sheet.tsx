import type { Station, StationCheck } from '@manara/player-contract/stations'
import { streamUrlProblem } from '@manara/player-contract/stream-url'
import { Field } from '@manara/ui/parts/field'
import { Icon } from '@manara/ui/parts/icon'
import { Sheet } from '@manara/ui/parts/sheet'
import { useIsHere } from '@manara/ui/use-is-here'
import { useOnce } from '@manara/ui/use-once'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { access, api, attempt, reasons, say } from '../../here.ts'
import { RemoveButton } from '../../parts/remove-button.tsx'
import { Refused } from '../../stores/api.ts'
import { words } from './words.ts'

type Finding = 'none' | 'unlikely' | 'asking' | { playable: boolean; text: string }

const REST_MS = 600

/** A station is pasted, looked at while one waits, named and saved. */
export function StationSheet({ station, onClose }: { station?: Station; onClose(): void }) {
  const { t, fill } = say.value
  const w = words()
  const isHere = useIsHere()
  const url = useSignal(station?.url ?? '')
  const name = useSignal(station?.name ?? '')
  const finding = useSignal<Finding>('none')
  const refused = useSignal<Refused | null>(null)
  const problemOf = (field: string) =>
    refused.value?.field === field ? reasons.of(refused.value) : undefined

  useEffect(() => {
    const address = url.value.trim()
    finding.value = 'none'
    if (address === '' || address === station?.url) return
    if (streamUrlProblem(address)) {
      finding.value = 'unlikely'
      return
    }
    // The box looks at addresses only for its owner; others are told when they save.
    if (!access.token.value) return
    finding.value = 'asking'
    const timer = setTimeout(() => void look(address), REST_MS)
    return () => clearTimeout(timer)
  }, [url.value])

  async function look(address: string) {
    const found = await api.post<StationCheck>('/radio/check', { url: address }).catch(() => null)
    if (address !== url.value.trim()) return
    if (!found) {
      finding.value = 'none'
      return
    }
    if (found.playable && name.value === '') name.value = found.name
    const details = [
      found.content_type.replace(/^.*\//, '').toUpperCase(),
      found.bitrate ? `${found.bitrate} kbit/s` : '',
    ]
    finding.value = found.playable
      ? { playable: true, text: [w.radio.answers, ...details].filter(Boolean).join(' ') }
      : { playable: false, text: fill(w.radio.doesNot, { why: reasons.meaning(found.reason) }) }
  }

  async function save() {
    const body = { name: name.value.trim() || url.value.trim(), url: url.value.trim() }
    await attempt(async () => {
      try {
        if (station) await api.patch(`/radio/stations/${station.id}`, body)
        else await api.post('/radio/stations', body)
        if (isHere()) onClose()
      } catch (error) {
        const isOfField =
          error instanceof Refused && (error.field === 'url' || error.field === 'name')
        if (!isOfField) throw error
        refused.value = error
      }
    })
  }

  const found = finding.value
  const { busy, run } = useOnce(save)
  return (
    <Sheet title={station ? w.radio.editTitle : w.radio.add} closeLabel={t.close} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        <div>
          <Field
            label={w.radio.address}
            value={url.value}
            hint={w.radio.addressHint}
            problem={problemOf('url')}
            onType={(text) => {
              url.value = text
              refused.value = null
            }}
            input={{
              dir: 'ltr',
              type: 'url',
              inputMode: 'url',
              name: 'url',
              placeholder: 'https://',
              autocomplete: 'off',
              autocapitalize: 'off',
              spellcheck: false,
              required: true,
            }}
          />
          <p
            class="finding"
            role="status"
            data-finding={typeof found === 'string' ? found : found.playable ? 'good' : 'bad'}
          >
            {found === 'unlikely' && w.radio.unlikely}
            {found === 'asking' && w.radio.asking}
            {typeof found === 'object' && (
              <>
                <Icon name={found.playable ? 'check' : 'alert'} />
                <span dir="auto">{found.text}</span>
              </>
            )}
          </p>
        </div>
        <Field
          label={w.radio.name}
          value={name.value}
          problem={problemOf('name')}
          onType={(text) => {
            name.value = text
            refused.value = null
          }}
          input={{ dir: 'auto', name: 'name', maxLength: 200, autocomplete: 'off' }}
        />
        <button type="submit" class="button" data-look="main" {...busy}>
          {t.save}
        </button>
        {station && (
          <RemoveButton
            path={`/radio/stations/${station.id}`}
            name={station.name}
            undo={() => api.post('/radio/stations', { name: station.name, url: station.url })}
            onClose={onClose}
          />
        )}
      </form>
    </Sheet>
  )
}
