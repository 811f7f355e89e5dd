import { Empty } from '@manara/ui/parts/empty'
import { useWords } from './words.ts'

export function NoAlerts({ isFiltered }: { isFiltered: boolean }) {
  const { w } = useWords()
  if (isFiltered) {
    return (
      <Empty icon="search" title={w.emptyTitle} text={w.emptyText}>
        <a class="button" href="/alerts">
          {w.clear}
        </a>
      </Empty>
    )
  }
  return (
    <Empty icon="bell" title={w.firstTitle} text={w.firstText}>
      <a class="button" data-look="main" href="/rules">
        {w.firstAct}
      </a>
    </Empty>
  )
}
