import type { AggregateAnswer } from '@manara/soc-contract/siem-aggregate'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../here.ts'
import { cutAt } from '../../parts/as-seen.ts'
import { Failed, Shape } from '../../parts/state.tsx'
import { useQuery } from '../../parts/use-query.ts'
import { type FieldFact, PlusMinus } from './field-list.tsx'
import { useWords } from './words.ts'

type GroupsProps = {
  filter: Record<string, string>
  fields: FieldFact[]
  onCondition(field: string, value: string, isWanted: boolean): void
}

const MEASURES = ['count', 'distinct', 'min', 'max', 'sum', 'avg', 'p95'] as const

/** Events in groups, as a table whose bars are the chart. */
export function Groups({ filter, fields, onCondition }: GroupsProps) {
  const { w, number } = useWords()
  const query = useQuery()
  const by = query.get('by') || 'host'
  const measure = query.get('measure') || 'count'
  const answer = useSignal<AggregateAnswer | null>(null)
  const error = useSignal<unknown>(null)
  const asked = JSON.stringify({ ...filter, by: [by], measures: [measure], limit: 100 })
  // Another question has another answer: an older one is no longer waited for, nor worked on.
  const ask = () => {
    ;[answer.value, error.value] = [null, null]
    const left = new AbortController()
    api.post<AggregateAnswer>('/siem/aggregate', JSON.parse(asked), left.signal).then(
      (reply) => {
        if (!left.signal.aborted) answer.value = reply
      },
      (cause) => {
        if (!left.signal.aborted) error.value = cause
      },
    )
    return () => left.abort()
  }
  useEffect(ask, [asked])
  const names = [
    ...new Set([
      'host',
      'user',
      'process',
      'source',
      'severity',
      'src_ip',
      'dst_ip',
      'event_code',
      'time:1h',
      'time:1d',
      ...fields.map(({ name }) => name),
    ]),
  ]
  const most = Math.max(1, ...(answer.value?.rows ?? []).map((row) => Number(row.at(-1)) || 0))
  return (
    <>
      <p class="groups-by">
        <label>
          {w.by}{' '}
          <select
            class="pick"
            value={by}
            onChange={({ currentTarget }) => query.set({ by: currentTarget.value })}
          >
            {names.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          {w.measure}{' '}
          <select
            class="pick"
            value={measure}
            onChange={({ currentTarget }) => query.set({ measure: currentTarget.value })}
          >
            {MEASURES.flatMap((name) =>
              name === 'count'
                ? ['count']
                : [
                    'user',
                    'src_ip',
                    'process',
                    ...fields
                      .filter(({ types }) => types.includes('number'))
                      .map((one) => one.name),
                  ].map((field) => `${name}(${field})`),
            ).map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        {answer.value && <Whole answer={answer.value} />}
      </p>
      {error.value ? (
        <Failed error={error.value} onAgain={ask} />
      ) : answer.value === null ? (
        <Shape rows={8} />
      ) : (
        <table class="table">
          <thead>
            <tr>
              <th scope="col">{by}</th>
              <th scope="col">
                <span class="hidden">{w.values}</span>
              </th>
              <th scope="col" class="num">
                {measure}
              </th>
              <th scope="col">
                <span class="hidden">{w.want}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {answer.value.rows.map((row) => {
              const [name, value] = [String(row[0] ?? '–'), Number(row.at(-1) ?? 0)]
              return (
                <tr key={name}>
                  <td class="mono">{cutAt(200, name)}</td>
                  <td>
                    <meter min={0} max={most} value={value} aria-label={name.slice(0, 60)} />
                  </td>
                  <td class="num">{number(value)}</td>
                  <td>
                    {row[0] !== null && !by.startsWith('time:') && (
                      <PlusMinus field={by} value={name} onCondition={onCondition} />
                    )}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
    </>
  )
}

/** How many groups there are, how many of them are shown, and whether that is all of it. */
function Whole({
  answer: { rows, total_groups, is_exact, partial, notes },
}: {
  answer: AggregateAnswer
}) {
  const { w, count, fill, number } = useWords()
  return (
    <span role="status">
      <b>{count(is_exact ? w.groups : w.groupsMore, total_groups)}</b>
      {rows.length < total_groups && `, ${fill(w.groupsShown, { n: number(rows.length) })}`}
      {partial && <span class="bad"> {fill(w.partial, { why: partial.detail })}</span>}
      {notes.length > 0 && ` ${notes.join(' ')}`}
    </span>
  )
}
