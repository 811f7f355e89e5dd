import { useSignal } from '@preact/signals'
import { cutAt } from '../../parts/as-seen.ts'
import { Icon } from '../../parts/icon.tsx'
import { ReadState } from '../../parts/state.tsx'
import { useRead } from '../../parts/use-read.ts'
import { withQuery } from '../../stores/api.ts'
import { useWords } from './words.ts'

export type FieldFact = { name: string; types: string[]; count: number; distinct: number }

type FieldListProps = {
  fields: FieldFact[]
  filter: Record<string, string>
  columns: string[]
  onCondition(field: string, value: string, isWanted: boolean): void
  onColumn(field: string): void
}

const SIGN: Record<string, string> = { text: 'a', number: '#', boolean: '✓' }
const MOST_SHOWN = 200

/** What the events have, the most frequent values of each, and both as conditions. */
export function FieldList({ fields, filter, columns, onCondition, onColumn }: FieldListProps) {
  const { w, number, fill } = useWords()
  const wanted = useSignal('')
  const open = useSignal('')
  const shown = fields
    .filter(({ name }) => name.toLowerCase().includes(wanted.value.toLowerCase()))
    .slice(0, MOST_SHOWN)
  return (
    <aside class="fields" aria-label={w.fields}>
      <input
        class="fields-find"
        type="search"
        aria-label={w.filterFields}
        placeholder={w.filterFields}
        value={wanted.value}
        onInput={({ currentTarget }) => {
          wanted.value = currentTarget.value
        }}
      />
      <ul>
        {shown.map(({ name, types, count, distinct }) => (
          <li key={name} data-open={open.value === name}>
            <div class="field-line">
              <button
                type="button"
                aria-expanded={open.value === name}
                onClick={() => {
                  open.value = open.value === name ? '' : name
                }}
              >
                <i>{SIGN[types[0] ?? 'text']}</i>
                <span class="mono">
                  <bdi>{name}</bdi>
                </span>
                <small>{number(distinct)}</small>
              </button>
              <button
                type="button"
                class="field-column"
                aria-pressed={columns.includes(name)}
                aria-label={fill(columns.includes(name) ? w.removeColumn : w.addColumn, {
                  field: name,
                })}
                onClick={() => onColumn(name)}
              >
                <Icon name="board" />
              </button>
            </div>
            {open.value === name && (
              <Values field={name} all={count} {...{ filter, onCondition }} />
            )}
          </li>
        ))}
      </ul>
    </aside>
  )
}

type ValuesProps = Pick<FieldListProps, 'filter' | 'onCondition'> & {
  field: string
  /** How many events have the field. */
  all: number
}

function Values({ field, all, filter, onCondition }: ValuesProps) {
  const { w, fill, percent } = useWords()
  const path = `/siem/fields/${encodeURIComponent(field)}/values`
  const read = useRead<{ items: { value: string; count: number }[] }>(
    withQuery(path, { ...filter, limit: 8 }),
  )
  return (
    <ReadState read={read} rows={3}>
      {({ items }) => {
        if (items.length === 0) return <p class="soft">{w.noValues}</p>
        return (
          <ol aria-label={fill(w.values, { field })}>
            {items.map(({ value, count }) => (
              <li key={value}>
                <span class="mono" title={value.slice(0, 300)}>
                  {cutAt(120, value)}
                </span>
                <meter min={0} max={all} value={count} aria-label={value.slice(0, 60)} />
                <small>{percent((count / Math.max(1, all)) * 100)}</small>
                <PlusMinus {...{ field, value, onCondition }} />
              </li>
            ))}
          </ol>
        )
      }}
    </ReadState>
  )
}

type PlusMinusProps = Pick<FieldListProps, 'onCondition'> & { field: string; value: string }

/** On every value everywhere: only this, or without this. */
export function PlusMinus({ field, value, onCondition }: PlusMinusProps) {
  const { w, fill } = useWords()
  const named = { field, value: value.slice(0, 60) }
  return (
    <span class="plus-minus">
      <button
        type="button"
        aria-label={fill(w.want, named)}
        onClick={() => onCondition(field, value, true)}
      >
        +
      </button>
      <button
        type="button"
        aria-label={fill(w.leave, named)}
        onClick={() => onCondition(field, value, false)}
      >
        −
      </button>
    </span>
  )
}
