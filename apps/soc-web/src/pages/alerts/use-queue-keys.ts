import type { AlertStatus } from '@manara/soc-contract/alerts'
import { useCommands } from '../../parts/use-commands.ts'
import { useQuery } from '../../parts/use-query.ts'
import { ALL, NONE, toggled } from './selection.ts'
import type { Cursor } from './use-cursor.ts'
import type { QueueRows } from './use-queue.ts'
import { useWords } from './words.ts'

type QueueKeys = {
  rows: QueueRows
  cursor: Cursor
  openId: string
  mayWrite: boolean
  showNew(): void
  settle(status: AlertStatus): unknown
  undo(): unknown
}

/** The keys of the queue; what changes an alert only for who may. */
export function useQueueKeys({ rows, cursor, openId, mayWrite, ...acts }: QueueKeys) {
  const { w } = useWords()
  const query = useQuery()
  const { selection } = rows.queue
  const { current, move } = cursor

  function leave() {
    if (openId) return query.set({ open: null })
    selection.value = NONE
    rows.isUsed.current = false
  }
  function mark() {
    if (!current) return
    selection.value = toggled(selection.value, current.id)
    move(1)
  }
  function markAll() {
    selection.value = ALL
  }
  const open = () => query.set({ open: current?.id ?? null })
  const moving = [
    { id: 'down', title: w.next, keys: 'j', alsoKeys: ['ArrowDown'], run: () => move(1) },
    { id: 'up', title: w.previous, keys: 'k', alsoKeys: ['ArrowUp'], run: () => move(-1) },
    { id: 'open', title: w.openIt, keys: 'Enter', run: open },
    { id: 'leave', title: w.closePanel, keys: 'Escape', run: leave },
  ]
  const choosing = [
    { id: 'mark', title: w.mark, keys: 'x', run: mark },
    { id: 'mark-all', title: w.markAll, keys: 'A', run: markAll },
    { id: 'new', title: w.showNew, keys: 'n', run: acts.showNew },
  ]
  const changing = [
    { id: 'triage', title: w.triage, keys: 't', run: () => void acts.settle('triaged') },
    { id: 'close', title: w.closeIt, keys: 'e', run: () => void acts.settle('closed') },
    { id: 'undo', title: w.undo, keys: 'u', run: () => void acts.undo() },
  ]
  useCommands([
    ...moving.map((one) => ({ ...one, group: 'page', isQuiet: true })),
    ...[...choosing, ...(mayWrite ? changing : [])].map((one) => ({ ...one, group: 'page' })),
  ])
}
