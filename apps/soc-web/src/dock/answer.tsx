import type { ComponentChildren } from 'preact'
import { api, clock, notices, route } from '../here.ts'
import { bothTimes } from '../parts/when.tsx'
import { withQuery } from '../stores/api.ts'
import { useWords } from './words.ts'

type Kind = 'alerts' | 'cases' | 'siem/logs'

const hrefOf = (kind: Kind, id: string) => {
  if (kind === 'alerts') return withQuery('/alerts', { status: 'all', open: id })
  if (kind === 'cases') return `/cases/${id}`
  return withQuery('/search', { q: `id:${JSON.stringify(id)}`, open: id, last: 'all' })
}

/** The Markdown of answers as elements: our own records as links, everything else as text. */
export function Answer({ text }: { text: string }) {
  const blocks: ComponentChildren[] = []
  let items: ComponentChildren[] = []
  const endList = () => {
    if (items.length > 0) blocks.push(<ul key={blocks.length}>{items}</ul>)
    items = []
  }
  for (const line of text.split('\n')) {
    if (line.startsWith('- ')) {
      items.push(<li key={items.length}>{inline(line.slice(2))}</li>)
      continue
    }
    endList()
    if (line.trim() !== '') blocks.push(<p key={blocks.length}>{inline(line)}</p>)
  }
  endList()
  return <>{blocks}</>
}

const MARK =
  /\\(.)|\[((?:\\.|[^\]\\])*)\]\(\/api\/v1\/(alerts|cases|siem\/logs)\/([\w%.-]+)\)|\[([\w.:-]{1,200})\]|\b(\d{4}-\d{2}-\d{2}T[\d:.]+Z)/g

function inline(text: string): ComponentChildren[] {
  const parts: ComponentChildren[] = []
  let from = 0
  for (const mark of text.matchAll(MARK)) {
    parts.push(text.slice(from, mark.index))
    from = mark.index + mark[0].length
    const [, sign, said = '', kind, id = '', bare, time] = mark
    if (sign !== undefined) parts.push(sign)
    else if (kind !== undefined) {
      parts.push(
        <a class="link" key={from} href={hrefOf(kind as Kind, decoded(id))} dir="auto">
          {said.replace(/\\(.)/g, '$1')}
        </a>,
      )
    } else if (bare !== undefined) parts.push(<Cited key={from} id={bare} />)
    else if (time !== undefined) parts.push(<Clock key={from} at={time} />)
  }
  parts.push(text.slice(from))
  return parts
}

/** What a model writes may be no such id at all. */
function decoded(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}

/** As people here read it; the day stands with it where it is another one. */
function Clock({ at }: { at: string }) {
  const isToday = new Date(at).toDateString() === new Date(clock.value).toDateString()
  const shown = new Date(at).toLocaleString(undefined, {
    ...(isToday ? {} : { month: 'short', day: 'numeric' }),
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
  })
  return (
    <time dateTime={at} title={bothTimes(at)}>
      {shown}
    </time>
  )
}

const KINDS: Kind[] = ['alerts', 'cases', 'siem/logs']

/** A model cites by id alone: what it is an id of is looked up when somebody asks. */
function Cited({ id }: { id: string }) {
  const { w } = useWords()
  const open = async () => {
    for (const kind of KINDS) {
      const isThere = await api.get(`/${kind}/${encodeURIComponent(id)}`).then(
        () => true,
        () => false,
      )
      if (isThere) return route.go(hrefOf(kind, id))
    }
    notices.problem(w.notFound)
  }
  return (
    <button type="button" class="link mono" onClick={() => void open()}>
      {id.length > 14 ? `${id.slice(0, 8)}…` : id}
    </button>
  )
}
