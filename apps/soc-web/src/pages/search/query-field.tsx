import { useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { api } from '../../here.ts'
import { Icon } from '../../parts/icon.tsx'
import { Key } from '../../parts/key.tsx'
import { useCommands } from '../../parts/use-commands.ts'
import { withQuery } from '../../stores/api.ts'
import { quoted, tokenAt } from './view.ts'
import { useWords } from './words.ts'

type Suggestion = { text: string; count: number; isField: boolean }
type QueryFieldProps = {
  value: string
  fields: { name: string; count: number }[]
  range: { from?: string; to?: string }
  /** What the service said about the query, begun with where. */
  problem: string | undefined
  onRun(q: string): void
}

const MOST = 8
const PAUSE_MS = 200

/** The query, with names of fields and then their values as one types. */
export function QueryField({ value, fields, range, problem, onRun }: QueryFieldProps) {
  const { w, number } = useWords()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const typed = useSignal(value)
  const offered = useSignal<Suggestion[]>([])
  const chosen = useSignal(-1)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => {
    typed.value = value
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  useCommands([
    { id: 'query', title: w.query, keys: '/', group: 'page', run: () => input.current?.focus() },
  ])

  function offer(list: Suggestion[]) {
    offered.value = list
    chosen.value = -1
  }

  function suggest() {
    clearTimeout(timer.current)
    const token = tokenAt(typed.value, input.current?.selectionStart ?? typed.value.length)
    if (token.field === null) {
      const start = token.text.toLowerCase()
      const names = fields.filter(({ name }) => start && name.toLowerCase().includes(start))
      return offer(
        names.slice(0, MOST).map(({ name, count }) => ({ text: name, count, isField: true })),
      )
    }
    const { field, text } = token
    timer.current = setTimeout(async () => {
      const path = `/siem/fields/${encodeURIComponent(field)}/values`
      const known = await api
        .get<{ items: { value: string; count: number }[] }>(
          withQuery(path, { limit: 50, ...range }),
        )
        .catch(() => ({ items: [] }))
      offer(
        known.items
          .filter((one) => one.value.toLowerCase().includes(text.toLowerCase()))
          .slice(0, MOST)
          .map((one) => ({ text: one.value, count: one.count, isField: false })),
      )
    }, PAUSE_MS)
  }

  function take({ text, isField }: Suggestion) {
    const cursor = input.current?.selectionStart ?? typed.value.length
    const { start } = tokenAt(typed.value, cursor)
    const put = isField ? `${text}:` : `${quoted(text)} `
    typed.value = typed.value.slice(0, start) + put + typed.value.slice(cursor)
    offer([])
    input.current?.focus()
    queueMicrotask(() => input.current?.setSelectionRange(start + put.length, start + put.length))
  }

  function key(event: KeyboardEvent) {
    const list = offered.value
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (list.length > 0 && step !== 0) {
      event.preventDefault()
      chosen.value = (chosen.value + step + list.length) % list.length
    } else if (event.key === 'Escape') offer([])
    else if ((event.key === 'Tab' || event.key === 'Enter') && list[chosen.value]) {
      event.preventDefault()
      take(list[chosen.value] as Suggestion)
    }
  }

  return (
    <form
      class="query search-query"
      onSubmit={(event) => {
        event.preventDefault()
        offer([])
        onRun(typed.value.trim())
      }}
    >
      <Icon name="search" />
      <input
        ref={input}
        class="mono"
        role="combobox"
        aria-label={w.query}
        aria-expanded={offered.value.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={chosen.value >= 0 ? `${id}-${chosen.value}` : undefined}
        aria-invalid={problem ? 'true' : undefined}
        aria-describedby={problem ? `${id}-problem` : undefined}
        placeholder={w.queryHint}
        autocomplete="off"
        spellcheck={false}
        value={typed.value}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value
          suggest()
        }}
        onKeyDown={key}
        onBlur={() => setTimeout(() => offer([]), 150)}
      />
      <button type="submit" class="act" data-look="main">
        {w.run} <Key keys="Enter" />
      </button>
      <div
        id={`${id}-list`}
        class="suggestions"
        role="listbox"
        aria-label={w.completion}
        hidden={offered.value.length === 0}
      >
        {offered.value.map((one, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys of the field move here
          <div
            key={one.text}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen.value}
            onClick={() => take(one)}
          >
            <span class="mono">{one.text.slice(0, 120)}</span>
            <small>{number(one.count)}</small>
          </div>
        ))}
      </div>
      {problem && (
        <p id={`${id}-problem`} class="query-problem" role="alert">
          {problem}
        </p>
      )}
    </form>
  )
}
