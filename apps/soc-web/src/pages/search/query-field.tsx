import { useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { api } from '../../here.ts'
import { Icon } from '../../parts/icon.tsx'
import { Key } from '../../parts/key.tsx'
import { quoted } from '../../parts/quoted.ts'
import { AS_TYPED } from '../../parts/unseen.ts'
import { useCommands } from '../../parts/use-commands.ts'
import { withQuery } from '../../stores/api.ts'
import { checkQuery } from './check-query.ts'
import { columnIn, markedQuery } from './marked-query.ts'
import { tokenAt } from './view.ts'
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
/** Nobody is told of a mistake in the middle of a word. */
const CHECK_MS = 700

/** The query, with names of fields and then their values as one types. */
export function QueryField({ value, fields, range, problem, onRun }: QueryFieldProps) {
  const { w, number } = useWords()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const typed = useSignal(value)
  const offered = useSignal<Suggestion[]>([])
  const chosen = useSignal(-1)
  const found = useSignal<string | undefined>(undefined)
  const mirror = useRef<HTMLSpanElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  /** How often something was asked for: only the last answer is offered. */
  const asked = useRef(0)
  const checking = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => {
    typed.value = value
    found.value = undefined
  }, [value])
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      clearTimeout(checking.current)
    },
    [],
  )
  useCommands([
    { id: 'query', title: w.query, keys: '/', group: 'page', run: () => input.current?.focus() },
  ])

  function offer(list: Suggestion[]) {
    offered.value = list
    chosen.value = -1
  }
  /** Nothing is offered any more, nor what is still on its way: it would lie over what was found. */
  function offerNothing() {
    clearTimeout(timer.current)
    asked.current += 1
    offer([])
  }

  function suggest() {
    clearTimeout(timer.current)
    asked.current += 1
    const mine = asked.current
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
      if (mine !== asked.current) return
      offer(
        known.items
          .filter((one) => one.value.toLowerCase().includes(text.toLowerCase()))
          .slice(0, MOST)
          .map((one) => ({ text: one.value, count: one.count, isField: false })),
      )
    }, PAUSE_MS)
  }

  function check() {
    clearTimeout(checking.current)
    found.value = undefined
    const text = typed.value
    checking.current = setTimeout(async () => {
      const wrong = await checkQuery(text)
      if (text === typed.value) found.value = wrong
    }, CHECK_MS)
  }

  /** What is drawn over the field moves along with what is in it. */
  const follow = () =>
    requestAnimationFrame(() => {
      if (mirror.current && input.current) mirror.current.scrollLeft = input.current.scrollLeft
    })

  function take({ text, isField }: Suggestion) {
    const cursor = input.current?.selectionStart ?? typed.value.length
    const { start } = tokenAt(typed.value, cursor)
    const put = isField ? `${text}:` : `${quoted(text)} `
    typed.value = typed.value.slice(0, start) + put + typed.value.slice(cursor)
    offerNothing()
    check()
    input.current?.focus()
    queueMicrotask(() => input.current?.setSelectionRange(start + put.length, start + put.length))
  }

  function key(event: KeyboardEvent) {
    const list = offered.value
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (list.length > 0 && step !== 0) {
      event.preventDefault()
      chosen.value = (chosen.value + step + list.length) % list.length
    } else if (event.key === 'Escape') offerNothing()
    else if ((event.key === 'Tab' || event.key === 'Enter') && list[chosen.value]) {
      event.preventDefault()
      take(list[chosen.value] as Suggestion)
    }
  }

  // What the service said counts for the query that was run.
  const wrong = found.value ?? (typed.value === value ? problem?.replace(/^q: /, '') : undefined)
  return (
    <form
      class="query search-query"
      onSubmit={(event) => {
        event.preventDefault()
        offerNothing()
        onRun(typed.value.trim())
      }}
    >
      <Icon name="search" />
      <div class="query-text">
        <span ref={mirror} class="query-mirror mono" aria-hidden="true">
          {markedQuery(typed.value, columnIn(wrong)).map(({ text, mark, isWrong }, index) => (
            <i key={index} data-mark={mark} data-wrong={isWrong} {...AS_TYPED}>
              {text}
            </i>
          ))}
        </span>
        <input
          ref={input}
          class="mono"
          role="combobox"
          aria-label={w.query}
          aria-expanded={offered.value.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={chosen.value >= 0 ? `${id}-${chosen.value}` : undefined}
          aria-invalid={wrong ? 'true' : undefined}
          aria-describedby={wrong ? `${id}-problem` : undefined}
          placeholder={w.queryHint}
          autocomplete="off"
          spellcheck={false}
          value={typed.value}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value
            suggest()
            check()
            follow()
          }}
          onScroll={follow}
          onSelect={follow}
          onKeyDown={key}
          // Not every browser tells of what the moves of a caret scroll.
          onKeyUp={follow}
          onBlur={() => {
            follow()
            setTimeout(offerNothing, 150)
          }}
        />
      </div>
      <button type="submit" class="act" data-look="main">
        {w.run} <Key keys="Enter" />
      </button>
      <div class="query-below">
        {wrong && (
          <p id={`${id}-problem`} class="query-problem" role="alert">
            {wrong}
          </p>
        )}
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
      </div>
    </form>
  )
}
