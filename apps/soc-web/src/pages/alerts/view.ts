import type { Alert, AlertStatus } from '@manara/soc-contract/alerts'

const OPEN: AlertStatus[] = ['new', 'triaged', 'investigating', 'escalated']
const SETTLED: AlertStatus[] = ['resolved', 'closed', 'suppressed']

const FIELDS = ['host', 'source', 'assignee', 'rule_id', 'case_id', 'tag'] as const
type Field = (typeof FIELDS)[number]

/** What is asked for: the whole of it is in the address. */
export type AlertView = {
  severity: string[]
  /** `open`, `settled`, `all`, or one status. */
  status: string
  q: string
  from: string
} & Partial<Record<Field, string>>

export function viewOf(search: string): AlertView {
  const values = new URLSearchParams(search)
  const view: AlertView = {
    severity: values.getAll('severity'),
    status: values.get('status') ?? 'open',
    q: values.get('q') ?? '',
    from: values.get('from') ?? '',
  }
  for (const field of FIELDS) {
    const value = values.get(field)
    if (value) view[field] = value
  }
  return view
}

/** As the list and the bulk change take it. */
export function filterOf(view: AlertView): Record<string, string> {
  const statuses =
    view.status === 'open'
      ? OPEN
      : view.status === 'settled'
        ? SETTLED
        : view.status === 'all'
          ? []
          : [view.status]
  const filter: Record<string, string> = {}
  if (view.severity.length > 0) filter.severity = view.severity.join(',')
  if (statuses.length > 0) filter.status = statuses.join(',')
  if (view.q) filter.q = view.q
  if (view.from) filter.from = view.from
  for (const field of FIELDS) {
    const value = view[field]
    if (value) filter[field] = value
  }
  return filter
}

/** `host:web-1 lateral movement`: names that are fields become filters, the rest is searched for. */
export function readTyped(text: string, me: string): Partial<Record<Field | 'q', string>> {
  const found: Partial<Record<Field | 'q', string>> = {}
  const rest = text.replace(/(\w+):(?:"([^"]*)"|(\S+))/g, (whole, name, quoted, plain) => {
    const field = FIELDS.find((one) => one === name || one === `${name}_id`)
    if (!field) return whole
    const value = quoted ?? plain
    found[field] = field === 'assignee' && value === 'me' ? me : value
    return ''
  })
  const q = rest.trim().replace(/\s+/g, ' ')
  if (q) found.q = q
  return found
}

export const chipsOf = (view: AlertView): [name: Field | 'q' | 'from', value: string][] =>
  ([...FIELDS, 'q', 'from'] as const).flatMap((name) => {
    const value = view[name]
    return value ? [[name, value] as [typeof name, string]] : []
  })

/** Whether all open ones are asked for, or those of some severities: the numbers of the overview tell them. */
export const isOfAllOpen = (view: AlertView) => view.status === 'open' && chipsOf(view).length === 0

/** Those of these severities, or of all where none was chosen. */
export const sumOf = (counts: Record<string, number>, severities: string[]): number =>
  Object.entries(counts).reduce(
    (sum, [name, n]) => sum + (severities.length === 0 || severities.includes(name) ? n : 0),
    0,
  )

/** Whether an alert that has just come is one of them, as far as a page can tell. */
export function fits(alert: Alert, filter: Record<string, string>): boolean {
  const { severity, status, tag, from, q } = filter
  return (
    (!severity || severity.split(',').includes(alert.severity)) &&
    (!status || status.split(',').includes(alert.status)) &&
    (!tag || alert.tags.includes(tag)) &&
    (!from || Date.parse(alert.created_at) >= Date.parse(from)) &&
    WHOLE.every((name) => !filter[name] || filter[name] === alert[name]) &&
    // What only the service can tell is left to it.
    !q
  )
}
const WHOLE = ['host', 'source', 'assignee', 'rule_id', 'case_id'] as const

/** What the service counts without end; with another filter it stops there. */
const COUNTED_WHOLE = ['severity', 'status', 'source']
const COUNTED_TO = 10_000

/** Whether there are as many or more: the service did not count them all. */
export const isAtLeast = (total: number, filter: Record<string, string>): boolean =>
  total >= COUNTED_TO && !Object.keys(filter).every((name) => COUNTED_WHOLE.includes(name))
