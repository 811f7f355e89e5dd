import type { AlertStatus } from '@manara/soc-contract/alerts'
import { live, route, session } from '../../here.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { useQuery } from '../../parts/use-query.ts'
import { AlertPanel } from './alert-panel.tsx'
import { AlertTable } from './alert-table.tsx'
import { Bar, Spread } from './bar.tsx'
import { Hints } from './hints.tsx'
import { only, sizeOf } from './selection.ts'
import { useCursor } from './use-cursor.ts'
import { useMatching } from './use-matching.ts'
import { useQueue } from './use-queue.ts'
import { useQueueKeys } from './use-queue-keys.ts'
import { useSettling } from './use-settling.ts'
import { filterOf, isAtLeast, viewOf } from './view.ts'
import { useWords } from './words.ts'
import './alerts.css'

export function Page() {
  const { w, number } = useWords()
  const query = useQuery()
  const openId = query.get('open')
  const view = viewOf(route.search.value)
  const asked = JSON.stringify(filterOf(view))
  const rows = useQueue(asked, openId !== '')
  const { queue } = rows
  const { counts, known, countSoon, countNow } = useMatching(view)
  const matching = known ?? queue.size()
  const isMore = isAtLeast(matching, filterOf(view))
  // Those that wait to be shown are not among them.
  const shown = Math.max(0, matching - queue.waitingCount.value)
  const marked = sizeOf(queue.selection.value, shown)
  const mayWrite = session.may('alerts:write')
  const cursor = useCursor(rows, openId)
  const { current, isOpenLoaded } = cursor
  const { settle, undo } = useSettling({
    ...{ queue, shown, openId },
    isUnfiltered: asked === '{}',
    onChanged: countSoon,
  })

  /** What a key is for: the selection, else the alert in the panel, else the row with the keyboard. */
  function settleTarget(status: AlertStatus) {
    const chosen = marked > 0 ? queue.selection.value : only(openId || current?.id)
    if (marked === 0 && current && (!openId || isOpenLoaded)) cursor.move(1)
    return settle(chosen, status)
  }
  function showNew() {
    rows.showNew()
    // Lest fewer be counted than are shown.
    countNow()
  }
  useQueueKeys({ rows, cursor, openId, mayWrite, showNew, settle: settleTarget, undo })

  const isCounted = known !== undefined || queue.isLoaded.value
  return (
    <div class="with-panel" data-panel={openId !== ''}>
      <div class="alerts">
        <PageHead
          title={w.title}
          count={isCounted ? `${number(matching)}${isMore ? '+' : ''}` : ''}
        >
          <Bar view={view} />
        </PageHead>
        <Spread view={view} counts={counts} />
        <AlertTable
          {...{ rows, cursor }}
          isFiltered={asked !== JSON.stringify(filterOf(viewOf('')))}
          onShowNew={showNew}
        />
        <Hints
          selection={queue.selection}
          {...{ marked, isMore, mayWrite }}
          onSettle={settleTarget}
        />
      </div>
      {openId && (
        <AlertPanel
          key={openId}
          id={openId}
          // Its row is kept up with events, while they come.
          row={isOpenLoaded && live.status.value === 'live' ? current : undefined}
          isRowWhole={queue.isWhole(openId)}
          onClose={() => query.set({ open: null })}
          // What is shown, whatever is selected; and it stays, lest a second click meet another.
          onSettle={(status) => settle(only(openId), status)}
        />
      )}
    </div>
  )
}
