import type { Alert, AlertStatus } from '@manara/soc-contract/alerts'
import type { ListOf } from '@manara/soc-contract/lists'
import { LongList, type LongListHandle } from '@manara/ui/parts/long-list'
import { useSignal } from '@preact/signals'
import { useCallback, useEffect, useRef } from 'preact/hooks'
import { attempt, live, notices, PRESSED, reads, route, session } from '../../here.ts'
import { Key } from '../../parts/key.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Failed } from '../../parts/state.tsx'
import { useCommands } from '../../parts/use-commands.ts'
import { useMedia } from '../../parts/use-media.ts'
import { useQuery } from '../../parts/use-query.ts'
import { useRead } from '../../parts/use-read.ts'
import { withQuery } from '../../stores/api.ts'
import { AlertPanel } from './alert-panel.tsx'
import { AlertRow, AlertRowHead } from './alert-row.tsx'
import { Bar, Spread, STATS, useOpenCounts } from './bar.tsx'
import { Hints } from './hints.tsx'
import { NoAlerts } from './no-alerts.tsx'
import type { Settled } from './queue.ts'
import { ALL, isSelected, NONE, only, type Selection, sizeOf, toggled } from './selection.ts'
import { useQueue } from './use-queue.ts'
import { filterOf, isAtLeast, sumOf, viewOf } from './view.ts'
import { useWords } from './words.ts'
import './alerts.css'

const ROW = 36
const HEAD = 30
/** On a phone two lines a row, and nothing that names columns: see alerts.css. */
const PHONE = '(max-width: 640px)'
const PHONE_ROW = 58

export function Page() {
  const { w, count, number, fill, t } = useWords()
  const query = useQuery()
  const view = viewOf(route.search.value)
  const asked = JSON.stringify(filterOf(view))
  const list = useRef<LongListHandle>(null)
  const table = useRef<HTMLDivElement>(null)
  const focus = useSignal(0)
  /** What can be taken back, the last one last. */
  const done = useRef<Settled[]>([])
  /** The last change, while it is on its way. */
  const under = useRef<Promise<unknown>>(Promise.resolve())
  const openId = query.get('open')
  const { queue, isUsed } = useQueue({ asked, focus, isOpen: openId !== '', list })
  const size = queue.size()
  // Rows stand still; how many there are by now is asked on its own, by the one question that tells.
  const { isCounting, counts } = useOpenCounts(view)
  const countPath = isCounting ? STATS : withQuery('/alerts', { ...JSON.parse(asked), limit: 1 })
  const counted = useRead<ListOf<Alert>>(isCounting ? null : countPath, { on: ['alert'] })
  const known = counts ? sumOf(counts, view.severity) : counted.data?.total
  const matching = known ?? size
  const isMore = isAtLeast(matching, JSON.parse(asked))
  const countAnew = () => reads.soon(countPath)
  // The alert in the panel has the keyboard; one that is not among the rows has none.
  const openAt = openId ? queue.indexOf(openId) : -1
  const at = openAt < 0 ? focus.value : openAt
  const current = queue.at(at)
  // Those that wait to be shown are not among them.
  const shown = Math.max(0, matching - queue.waitingCount.value)
  const marked = sizeOf(queue.selection.value, shown)
  const mayWrite = session.may('alerts:write')
  const isPhone = useMedia(PHONE)

  const canRead = session.canRead.value
  useEffect(() => {
    if (canRead) queue.again()
  }, [queue, canRead])
  const isOpenLoaded = openAt >= 0
  useEffect(() => {
    if (!isOpenLoaded) return
    list.current?.reveal(openAt)
    // So that the keyboard stays there when the panel is left.
    focus.value = openAt
  }, [openId, isOpenLoaded])

  function move(by: number) {
    const next = Math.min(Math.max(at + by, 0), Math.max(0, size - 1))
    focus.value = next
    isUsed.current = true
    list.current?.reveal(next)
    // The rows have the keyboard now, not the button that was pressed before: Enter is for them.
    if (document.activeElement?.closest(PRESSED)) {
      table.current?.querySelector<HTMLElement>('[role=grid]')?.focus({ preventScroll: true })
    }
    const id = queue.at(next)?.id
    if (openId && id) query.set({ open: id }, 'replace')
  }

  /** What a key is for: the selection, else the alert in the panel, else the row with the keyboard. */
  function settleTarget(status: AlertStatus) {
    const chosen = marked > 0 ? queue.selection.value : only(openId || current?.id)
    if (marked === 0 && current && (!openId || isOpenLoaded)) move(1)
    return settle(chosen, status)
  }

  function showNew() {
    queue.showWaiting()
    // Lest fewer be counted than are shown.
    void reads.renewOne(countPath)
    list.current?.toTop()
    focus.value = 0
    isUsed.current = false
  }

  async function settle(chosen: Selection, status: AlertStatus) {
    if (sizeOf(chosen, shown) === 0) return
    if (chosen.kind === 'all' && asked === '{}') return notices.problem(w.tooMany)
    const work = attempt(async () => {
      const named = t.status[status] ?? status
      const settled = await queue.settle(chosen, status, (n) =>
        notices.done(fill(w.soFar, { n: number(n), status: named })),
      )
      countAnew()
      if (openId && isSelected(chosen, openId)) void reads.renewOne(`/alerts/${openId}`)
      if (settled.preview) return notices.done(w.preview)
      if (settled.updated === 0) return notices.done(fill(w.unchanged, { status: named }))
      done.current.push(settled)
      notices.done(count(w.changed, settled.updated, { status: named }), {
        ...{ label: t.undo, run: () => void undo(settled) },
      })
      if (settled.failure) throw settled.failure
    })
    under.current = work
    await work
  }

  /** Each change once, the last one first. */
  async function undo(chosen?: Settled) {
    if (!chosen) await under.current
    const settled = chosen ?? done.current.at(-1)
    if (!settled || !done.current.includes(settled)) return notices.done(w.nothingToUndo)
    done.current = done.current.filter((one) => one !== settled)
    const isDone = await attempt(async () => {
      await queue.undo(settled)
      notices.done(w.undone)
    })
    if (!isDone) done.current.push(settled)
    countAnew()
  }

  const open = (id: string | undefined) => query.set({ open: id ?? null })
  const quiet = { group: 'page', isQuiet: true } as const
  useCommands([
    { id: 'down', title: w.next, keys: 'j', alsoKeys: ['ArrowDown'], ...quiet, run: () => move(1) },
    {
      id: 'up',
      title: w.previous,
      keys: 'k',
      alsoKeys: ['ArrowUp'],
      ...quiet,
      run: () => move(-1),
    },
    { id: 'open', title: w.openIt, keys: 'Enter', ...quiet, run: () => open(current?.id) },
    {
      ...{ id: 'leave', title: w.closePanel, keys: 'Escape', ...quiet },
      run() {
        if (openId) query.set({ open: null })
        else {
          queue.selection.value = NONE
          isUsed.current = false
        }
      },
    },
    {
      ...{ id: 'mark', title: w.mark, keys: 'x', group: 'page' },
      run() {
        if (!current) return
        queue.selection.value = toggled(queue.selection.value, current.id)
        move(1)
      },
    },
    {
      ...{ id: 'mark-all', title: w.markAll, keys: 'A', group: 'page' },
      run: () => {
        queue.selection.value = ALL
      },
    },
    {
      ...{ id: 'new', title: w.showNew, keys: 'n', group: 'page' },
      run: showNew,
    },
    ...(mayWrite
      ? [
          {
            id: 'triage',
            title: w.triage,
            keys: 't',
            group: 'page',
            run: () => void settleTarget('triaged'),
          },
          {
            id: 'close',
            title: w.closeIt,
            keys: 'e',
            group: 'page',
            run: () => void settleTarget('closed'),
          },
          { id: 'undo', title: w.undo, keys: 'u', group: 'page', run: () => void undo() },
        ]
      : []),
  ])

  const want = useCallback((first: number, last: number) => queue.want(first, last), [queue])
  const edition = `${queue.arrivals.value} ${size} ${at}`
  const isEmpty = queue.isLoaded.value && size === 0
  return (
    <div class="with-panel" data-panel={openId !== ''}>
      <div class="alerts">
        <PageHead
          title={w.title}
          count={
            known !== undefined || queue.isLoaded.value
              ? `${number(matching)}${isMore ? '+' : ''}`
              : ''
          }
        >
          <Bar view={view} />
        </PageHead>
        <Spread view={view} counts={counts} />
        <div class="alerts-table" ref={table}>
          {isEmpty ? (
            <NoAlerts isFiltered={asked !== JSON.stringify(filterOf(viewOf('')))} />
          ) : (
            <LongList
              label={w.title}
              {...{ size, edition }}
              rowHeight={isPhone ? PHONE_ROW : ROW}
              headHeight={isPhone ? 0 : HEAD}
              head={<AlertRowHead columns={w.columns} />}
              focus={at}
              onWant={want}
              onPick={(index, event) => {
                focus.value = index
                isUsed.current = true
                const id = queue.at(index)?.id
                if (!id) return
                if ((event.target as Element).closest('.tick')) {
                  queue.selection.value = toggled(queue.selection.value, id)
                } else open(id)
              }}
              row={(index) => {
                const alert = queue.at(index)
                return (
                  <AlertRow
                    {...{ index, alert }}
                    isFocused={index === at}
                    isMarked={alert !== undefined && isSelected(queue.selection.value, alert.id)}
                  />
                )
              }}
              handle={list}
            />
          )}
          {queue.waitingCount.value > 0 && (
            <button type="button" class="fresh" onClick={showNew}>
              {count(w.newOnes, queue.waitingCount.value)} <Key keys="n" />
            </button>
          )}
          {queue.failure.value !== null && (
            <Failed error={queue.failure.value} onAgain={queue.again} />
          )}
        </div>
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
