import { type Http, writtenAsMade } from '@manara/kit/http'
import { AlertEvents, AlertEventsQuery } from '@manara/soc-contract/alert-events'
import {
  Alert,
  AlertBulk,
  AlertBulkResult,
  AlertCaseLink,
  AlertCreate,
  AlertListQuery,
  AlertParams,
  AlertPromote,
  AlertUpdate,
} from '@manara/soc-contract/alerts'
import { CaseDetail } from '@manara/soc-contract/cases'
import { listOf } from '@manara/soc-contract/lists'
import type { Kysely } from 'kysely'
import type { Changes, GroupedChanges } from '../../core/change/operator-change.ts'
import type { Reads } from '../../core/mode/read-through.ts'
import type { Tables } from '../../db/tables.ts'
import { requires } from '../../http/permissions.ts'
import { pageOf, showOne } from '../../showcase/query.ts'
import { type AlertEventSources, alertEvents, relatedTo } from './alert-events.ts'
import { alertById } from './alerts.store.ts'
import { bulkUpdateAlerts } from './bulk-update-alerts.ts'
import { linkAlert, type NoteInCases } from './link-alert.ts'
import { listAlerts } from './list-alerts.ts'
import { type OpenCase, promoteAlert } from './promote-alert.ts'
import { type Raised, raiseAlert } from './raise-alert.ts'
import { raiseAlerts } from './raise-alerts.ts'
import { raiseAtOnce } from './raise-at-once.ts'
import { showAlerts } from './show-alerts.ts'
import { updateAlert } from './update-alert.ts'

export type AlertDeps = {
  db: Kysely<Tables>
  events: AlertEventSources
  openCase: OpenCase
  noteInCases: NoteInCases
} & Pick<Changes, 'operatorChange'> &
  Pick<GroupedChanges, 'inGroups'> &
  Reads

const tags = ['alerts']

export function alertRoutes(http: Http, deps: AlertDeps) {
  const { db, operatorChange, readThrough } = deps
  const raising = deps.inGroups<AlertCreate, Raised>(
    (changes, alerts) => raiseAlerts(deps.noteInCases, changes, alerts),
    raiseAtOnce,
  )

  http.get(
    '/alerts',
    {
      ...requires('alerts:read'),
      ...writtenAsMade,
      schema: {
        tags,
        summary: 'List alerts',
        description:
          'Newest first. `cursor` (from `next_cursor`) pages without drift while alerts come in; `skip` does not. `total` is exact for severity, status and source; with other filters matches are counted up to 10,000. The sorts created_at and severity are fast at any size; the others sort what the filters leave.',
        querystring: AlertListQuery,
        response: { 200: listOf(Alert) },
      },
    },
    ({ query }) =>
      readThrough(
        () => listAlerts(db, query),
        ({ alerts }) => showAlerts(alerts, query),
      ),
  )

  http.post(
    '/alerts',
    {
      ...requires('alerts:write'),
      ...writtenAsMade,
      schema: {
        tags,
        summary: 'Create an alert, or count the same one again',
        body: AlertCreate,
        response: { 200: Alert, 201: Alert },
      },
    },
    async (request, reply) => {
      const shown = ({ alert, isNew }: Raised) => {
        reply.code(isNew ? 201 : 200)
        return alert
      }
      if (raising.applies()) return shown(await raising.ask(request, request.body))
      return operatorChange(request, reply, 201, async (change) =>
        shown(await raiseAlert(deps.noteInCases, change, request.body)),
      )
    },
  )

  http.post(
    '/alerts/bulk',
    {
      ...requires('alerts:write'),
      schema: {
        tags,
        summary: 'Change the status of many alerts at once',
        description:
          'By `ids`, or by `filter`, which is 400 when it matches more than 10,000. With `most` no more than so many of those in another status are changed, and `has_more` says whether to ask again.',
        body: AlertBulk,
        response: { 200: AlertBulkResult },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 200, (change) => bulkUpdateAlerts(change, request.body)),
  )

  http.get(
    '/alerts/:alert_id',
    {
      ...requires('alerts:read'),
      schema: { tags, summary: 'One alert', params: AlertParams, response: { 200: Alert } },
    },
    ({ params }) =>
      readThrough(
        () => alertById(db, params.alert_id),
        ({ alerts }) => showOne('alert', alerts, params.alert_id),
      ),
  )

  http.get(
    '/alerts/:alert_id/events',
    {
      ...requires('alerts:read', 'siem:read'),
      schema: {
        tags,
        summary: 'The events behind an alert',
        description:
          'The event it was raised for first, then those counted on it. An event that retention took is named with `event` null.',
        params: AlertParams,
        querystring: AlertEventsQuery,
        response: { 200: AlertEvents },
      },
    },
    ({ params, query }) =>
      readThrough(
        async () => {
          const alert = await alertById(db, params.alert_id)
          const [events, others] = await Promise.all([
            alertEvents(deps.events, db, alert, query),
            relatedTo(db, alert, query.related),
          ])
          return { ...events, ...others }
        },
        ({ alerts, logs }) => {
          const alert = showOne('alert', alerts, params.alert_id)
          const event = logs.find(({ id }) => id === alert.source_ref)
          const others = alerts.filter(({ id, host }) => host === alert.host && id !== alert.id)
          return {
            ...pageOf(event ? [{ log_id: event.id, event }] : [], query),
            ...(query.related && { related: alert.host ? others.slice(0, query.related) : [] }),
          }
        },
      ),
  )

  http.patch(
    '/alerts/:alert_id',
    {
      ...requires('alerts:write'),
      schema: {
        tags,
        summary: 'Change the status of an alert',
        params: AlertParams,
        body: AlertUpdate,
        response: { 200: Alert },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 200, (change) =>
        updateAlert(change, request.params.alert_id, request.body),
      ),
  )

  http.post(
    '/alerts/:alert_id/promote',
    {
      ...requires('alerts:write', 'cases:write'),
      schema: {
        tags,
        summary: 'Open a case from an alert',
        params: AlertParams,
        body: AlertPromote.nullish(),
        response: { 201: CaseDetail },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 201, (change) =>
        promoteAlert(deps.openCase, change, request.params.alert_id, request.body ?? {}),
      ),
  )

  http.post(
    '/alerts/:alert_id/case-link',
    {
      ...requires('alerts:write', 'cases:write'),
      schema: {
        tags,
        summary: 'Link an alert to a case',
        params: AlertParams,
        body: AlertCaseLink,
        response: { 200: Alert },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 200, (change) =>
        linkAlert(deps.noteInCases, change, request.params.alert_id, request.body.case_id),
      ),
  )
}
