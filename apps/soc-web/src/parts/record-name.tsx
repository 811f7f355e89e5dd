import type { Permission } from '@manara/soc-contract/permissions'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { session } from '../here.ts'
import { withQuery } from '../stores/api.ts'
import { cutAt } from './as-seen.ts'
import { isId } from './sentence.ts'
import { useRead } from './use-read.ts'

type Kind = {
  /** How it is asked for, and who may. */
  api: string
  needs: Permission
  /** Without what is not shown of it. */
  short?: string
  /** Its address here. */
  page(id: string): string
}

const event: Kind = {
  ...{ api: '/siem/logs', needs: 'siem:read' },
  page: (id) => withQuery('/search', { q: `id:${JSON.stringify(id)}`, open: id, last: 'all' }),
}

const KINDS: Record<string, Kind> = {
  alert: {
    ...{ api: '/alerts', needs: 'alerts:read' },
    page: (id) => withQuery('/alerts', { status: 'all', open: id }),
  },
  case: {
    ...{ api: '/cases', needs: 'cases:read', short: '?latest=1' },
    page: (id) => `/cases/${id}`,
  },
  rule: { api: '/detections/rules', needs: 'detections:read', page: (id) => `/rules/${id}` },
  playbook: {
    ...{ api: '/soar/playbooks', needs: 'soar:read' },
    page: (id) => withQuery('/response/playbooks', { open: id }),
  },
  execution: {
    ...{ api: '/soar/executions', needs: 'soar:read' },
    page: (id) => withQuery('/response/executions', { open: id }),
  },
  device: {
    ...{ api: '/cps/devices', needs: 'cps:read' },
    page: (id) => withQuery('/devices', { open: id }),
  },
  endpoint: {
    ...{ api: '/edr/endpoints', needs: 'edr:read' },
    page: (id) => withQuery('/response/endpoints', { open: id }),
  },
  ...{ event, log: event },
}

export const kindOf = (name: string): Kind | undefined =>
  Object.hasOwn(KINDS, name) ? KINDS[name] : undefined

const NAMES = ['title', 'name', 'playbook_name', 'hostname', 'message', 'value'] as const

/** What people call a record, among its fields. */
export function nameIn(record: Record<string, unknown> | null | undefined): string | undefined {
  const found = NAMES.map((name) => record?.[name]).find((value) => value)
  return typeof found === 'string' ? cutAt(120, found) : undefined
}

/** Enough to tell ids apart; the whole one is under the pointer. */
export const ShortId = ({ id }: { id: string }) => (
  <code class="mono soft" title={id}>
    {isId(id) ? `…${id.slice(-6)}` : id}
  </code>
)

/**
 * Names that the page has read together, by id, so that they need not be asked for one by one; null
 * while they are on their way.
 */
export const KnownNames = createContext<ReadonlyMap<string, string> | null>(new Map())

type RecordNameProps = {
  kind: string
  id: string
  /** Within a button, where no link may be. */
  isPlain?: boolean
}

/** A record by its name, as a link to it; by the end of its id where it cannot be read. */
export function RecordName({ kind, id, isPlain = false }: RecordNameProps) {
  const known = kindOf(kind)
  const names = useContext(KnownNames)
  const mayRead = known !== undefined && session.may(known.needs)
  const isAsked = mayRead && names !== null && !names.has(id)
  const read = useRead<Record<string, unknown>>(
    isAsked ? `${known.api}/${id}${known.short ?? ''}` : null,
    { freshMs: 300_000 },
  )
  const name = names?.get(id) ?? nameIn(read.data)
  if (!mayRead || read.error) return <ShortId id={id} />
  if (isPlain) return name ? <bdi>{name}</bdi> : <ShortId id={id} />
  return (
    <a class="link" href={known.page(id)} dir="auto" aria-busy={name ? undefined : 'true'}>
      {name ?? <ShortId id={id} />}
    </a>
  )
}
