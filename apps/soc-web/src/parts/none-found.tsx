import { Empty } from '@manara/ui/parts/empty'
import { say } from '../here.ts'
import { useQuery } from './use-query.ts'

/** There are records, and none that was searched for. */
export function NoneFound() {
  const { t, fill } = say.value
  const query = useQuery()
  return (
    <Empty icon="search" title={t.noneFound} text={fill(t.noneFoundText, { q: query.get('q') })}>
      <button type="button" class="button" onClick={() => query.set({ q: null })}>
        {t.showAll}
      </button>
    </Empty>
  )
}
