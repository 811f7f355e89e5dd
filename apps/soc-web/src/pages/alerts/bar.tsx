import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { session } from '../../here.ts'
import { SEVERITIES } from '../../parts/badges.tsx'
import { Icon } from '../../parts/icon.tsx'
import { nameInWords } from '../../parts/in-words.ts'
import { RecordName } from '../../parts/record-name.tsx'
import { isId } from '../../parts/sentence.ts'
import { useCommands } from '../../parts/use-commands.ts'
import { useQuery } from '../../parts/use-query.ts'
import type { OpenCounts } from './use-matching.ts'
import { type AlertView, chipsOf, readTyped } from './view.ts'
import { useWords } from './words.ts'

/** What is asked for, as chips, and the way to ask for more. */
export function Bar({ view }: { view: AlertView }) {
  const { w, t } = useWords()
  const query = useQuery()
  const typed = useSignal('')
  const field = useRef<HTMLInputElement>(null)
  useCommands([
    {
      ...{ id: 'filter', title: w.filter, keys: '/', group: 'page' },
      run: () => field.current?.focus(),
    },
  ])
  return (
    <>
      <form
        class="query"
        onSubmit={(event) => {
          event.preventDefault()
          query.set({ ...readTyped(typed.value, session.me.value?.username ?? ''), open: null })
          typed.value = ''
        }}
      >
        <Icon name="search" />
        {chipsOf(view).map(([name, value]) => (
          <span class="chip" key={name}>
            <i>{name === 'q' ? '' : nameInWords(name)}</i>{' '}
            {isId(value) ? <RecordName kind={nameInWords(name)} id={value} isPlain /> : value}
            <button
              type="button"
              aria-label={`${t.close}: ${name} ${value}`}
              onClick={() => query.set({ [name]: null })}
            >
              <Icon name="close" />
            </button>
          </span>
        ))}
        <input
          ref={field}
          aria-label={w.filter}
          placeholder={w.filterHint}
          value={typed.value}
          spellcheck={false}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value
          }}
        />
      </form>
      <select
        class="pick"
        aria-label={w.statusFilter}
        value={view.status}
        onChange={({ currentTarget }) => query.set({ status: currentTarget.value, open: null })}
      >
        <option value="open">{w.open}</option>
        <option value="settled">{w.settled}</option>
        <option value="all">{w.all}</option>
        {['new', 'triaged', 'investigating', 'escalated', 'resolved', 'closed', 'suppressed'].map(
          (status) => (
            <option key={status} value={status}>
              {t.status[status]}
            </option>
          ),
        )}
      </select>
    </>
  )
}

/** Open alerts by severity; each part is a filter. */
export function Spread({ view, counts }: { view: AlertView; counts?: OpenCounts | undefined }) {
  const { w, t, number } = useWords()
  const query = useQuery()
  // The parts keep their width beside a filter.
  const known = useRef(counts)
  known.current = counts ?? known.current
  return (
    <fieldset class="spread">
      <legend class="hidden">{w.bySeverity}</legend>
      {SEVERITIES.map((name) => {
        const isOn = view.severity.includes(name)
        return (
          <button
            key={name}
            type="button"
            class={name}
            aria-pressed={isOn}
            style={{ flexGrow: Math.max(1, Math.sqrt(known.current?.[name] ?? 1)) }}
            onClick={() =>
              query.set({
                severity: isOn
                  ? view.severity.filter((one) => one !== name)
                  : [...view.severity, name],
                open: null,
              })
            }
          >
            <i /> {t.severity[name]} {counts && <b>{number(counts[name])}</b>}
          </button>
        )
      })}
    </fieldset>
  )
}
