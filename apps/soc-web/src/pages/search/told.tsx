import type { LogCount, LogList } from '@manara/soc-contract/siem'
import { useRead } from '../../parts/use-read.ts'
import { useWords } from './words.ts'

type ToldProps = { read: LogList | undefined; countPath: string; shows: string }

/** How many were found, and whether that is all of it. */
export function Told({ read, countPath, shows }: ToldProps) {
  const { w, count, fill } = useWords()
  // The events are shown first; their number comes behind where it takes longer.
  const counted = useRead<LogCount>(read && !read.is_total_exact ? countPath : null)
  if (!read) return <p />
  const { partial, notes, items } = read
  // Of no events it stands in their place, for who sees it.
  const isBelow = shows === 'events' && items.length === 0
  const { total, is_total_exact } = counted.data ?? read
  return (
    <p role="status">
      <b>{count(is_total_exact ? w.found : w.foundMore, total)}</b>
      {partial && <span class="bad"> {fill(w.partial, { why: partial.detail })}</span>}
      {notes.map((note) => (
        <span class={isBelow ? 'hidden' : 'told-note'} key={note}>
          {' '}
          {note}
        </span>
      ))}
    </p>
  )
}
