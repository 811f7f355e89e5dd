import { useQuery } from '../../parts/use-query.ts'
import { RANGES, type SearchView } from './view.ts'
import { useWords } from './words.ts'

export function RangePick({ view }: { view: SearchView }) {
  const { w } = useWords()
  const query = useQuery()
  const isDrawn = view.from !== '' || view.to !== ''
  return (
    <select
      class="pick"
      aria-label={w.range}
      value={isDrawn ? 'drawn' : view.last}
      onChange={({ currentTarget }) =>
        query.set({ last: currentTarget.value, from: null, to: null, open: null })
      }
    >
      {isDrawn && <option value="drawn">{w.drawn}</option>}
      {RANGES.map((name) => (
        <option key={name} value={name}>
          {w.ranges[name]}
        </option>
      ))}
    </select>
  )
}
