import { forbidden } from '@manara/kit/errors'
import { printQuery } from '@manara/log-query/print'
import type { Log, LogList } from '@manara/soc-contract/siem'
import { TimelineInput } from '@manara/soc-contract/tools'
import type { z } from 'zod'
import { defineTool, type ToolContext } from '../../../core/tools/tool.ts'
import type { ToolFunctions } from '../functions.ts'

type Found = {
  entries: Entry[]
  /** Of all that there is, of which `entries` are the newest. */
  total: number
} & Pick<LogList, 'is_total_exact' | 'partial'>

type Entry = {
  at: string
  kind: 'event' | 'alert' | 'case'
  what: string
  severity: string | null
  host: string | null
  user: string | null
  id: string | null
}

export const timeline = (functions: ToolFunctions) =>
  defineTool({
    name: 'timeline',
    title: 'What happened, in order of time',
    description:
      'Events and alerts of a host, a user or an address, or what was done in a case; the newest, oldest first.',
    input: TimelineInput,
    effect: 'reads',
    permissions: ['siem:read'],
    async run(asked, context) {
      const { entries, ...rest } =
        asked.case_id === undefined
          ? await aboutEntity(functions, asked, context)
          : await ofCase(functions, asked.case_id, asked, context)
      const newest = entries.toSorted((a, b) => (a.at < b.at ? -1 : 1)).slice(-asked.limit)
      return { ...rest, entries: newest }
    },
    shows: ({ entries }) => entries.flatMap(({ id }) => id ?? []),
  })

async function aboutEntity(
  functions: ToolFunctions,
  { host, user, address, from, to, limit }: z.infer<typeof TimelineInput>,
  { principal, signal }: ToolContext,
): Promise<Found> {
  const query =
    host !== undefined
      ? exactly('host', host)
      : user !== undefined
        ? exactly('user', user)
        : `${exactly('src_ip', address ?? '')} OR ${exactly('dst_ip', address ?? '')}`
  const { items, total, is_total_exact, partial } = await functions.searchLogs(
    { query, from, to, limit },
    signal,
  )
  const events = items.map(
    (log): Entry => ({
      at: log.timestamp,
      kind: 'event',
      what: log.message || wordsFor(log),
      severity: log.severity,
      host: log.host,
      user: log.user,
      id: log.id,
    }),
  )
  if (host === undefined || !principal.permissions.has('alerts:read')) {
    return { entries: events, total, is_total_exact, partial }
  }
  const alerts = await functions.listAlerts({ host, from, to, limit })
  const raised = alerts.items.map(
    (alert): Entry => ({
      at: alert.last_seen_at,
      kind: 'alert',
      what: alert.title,
      severity: alert.severity,
      host: alert.host,
      user: null,
      id: alert.id,
    }),
  )
  const all = total + alerts.total
  return { entries: [...events, ...raised], total: all, is_total_exact, partial }
}

const TELLING = ['CommandLine', 'TargetFilename', 'TargetObject', 'QueryName', 'Image'] as const

/** Many senders write fields and no message: what was done, to what, in their own words. */
function wordsFor({ event_code, process, dst_ip, fields }: Log): string {
  const told = TELLING.map((name) => fields[name]).find((value) => typeof value === 'string')
  const parts = [event_code && `event ${event_code}`, told ?? process, dst_ip && `to ${dst_ip}`]
  return parts.filter(Boolean).join(' ')
}

async function ofCase(
  functions: ToolFunctions,
  caseId: string,
  { from, to }: Pick<z.infer<typeof TimelineInput>, 'from' | 'to'>,
  { db, principal }: ToolContext,
): Promise<Found> {
  if (!principal.permissions.has('cases:read')) throw forbidden('cases:read')
  const { timeline: noted } = await functions.readCase(db, caseId)
  const isAsked = ({ timestamp }: { timestamp: string }) =>
    (!from || new Date(timestamp) >= from) && (!to || new Date(timestamp) < to)
  const entries = noted.filter(isAsked).map(
    ({ agent, action, timestamp }): Entry => ({
      at: timestamp,
      kind: 'case',
      what: action,
      severity: null,
      host: null,
      user: agent,
      id: null,
    }),
  )
  return { entries, total: entries.length, is_total_exact: true, partial: null }
}

/** The value as it is, whatever it means in the query language. */
const exactly = (field: string, value: string) =>
  printQuery({ kind: 'field', field, match: { kind: 'pattern', parts: [value] } })
