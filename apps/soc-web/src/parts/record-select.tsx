import type { ListOf } from '@manara/soc-contract/lists'
import { Select } from '@manara/ui/parts/select'
import { useSignal } from '@preact/signals'
import { say } from '../here.ts'
import { withQuery } from '../stores/api.ts'
import { Act } from './act.tsx'
import { cutAt } from './as-seen.ts'
import { TextField } from './text-field.tsx'
import { useRead } from './use-read.ts'
import { localTime } from './when.tsx'

type Choosable = { id: string; title: string; created_at: string; host?: string | null }

type RecordSelectProps<Item> = {
  label: string
  /** `/alerts` or `/cases`. */
  api: string
  value: Item | null
  onPick(item: Item | null): void
  isOffered?(item: Item): boolean
}

const AT_ONCE = 50

/** One of the newest, or of those that are looked for, or none. Many have the same title. */
export function RecordSelect<Item extends Choosable>(props: RecordSelectProps<Item>) {
  const { label, api, value, onPick, isOffered = () => true } = props
  const { t } = say.value
  const typed = useSignal('')
  const sought = useSignal('')
  const { data } = useRead<ListOf<Item>>(withQuery(api, { limit: AT_ONCE, q: sought.value }))
  const found = data?.items.filter(isOffered) ?? []
  const offered = value && !found.some(({ id }) => id === value.id) ? [value, ...found] : found
  const nameOf = ({ title, host, created_at }: Item) =>
    [cutAt(120, title), host, localTime(created_at)].filter(Boolean).join(' · ')
  const find = () => {
    sought.value = typed.value.trim()
  }
  return (
    <>
      <Select
        label={label}
        value={value?.id ?? ''}
        options={[
          { value: '', label: '–' },
          ...offered.map((item) => ({ value: item.id, label: nameOf(item) })),
        ]}
        onChoose={(id) => onPick(offered.find((item) => item.id === id) ?? null)}
      />
      {(data?.has_more || sought.value !== '') && (
        // biome-ignore lint/a11y/noStaticElementInteractions: Enter in its field finds, and sends no form
        <div
          class="inline-form"
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            find()
          }}
        >
          <TextField label={`${t.findOther}: ${label}`} of={typed} />
          <Act onClick={find}>{t.find}</Act>
        </div>
      )}
      {data && sought.value !== '' && found.length === 0 && (
        <p class="soft" role="status">
          {t.noneFound}
        </p>
      )}
    </>
  )
}
