import { AlertCreate, type AlertUpdate } from '@manara/soc-contract/alerts'
import type { ChangeContext, Changes } from '../../../core/change/operator-change.ts'

export type QuietSource = { source: string; first_received_at: Date; last_received_at: Date }

export type TellDeps = {
  internalWorkflow: Changes['internalWorkflow']
  raiseAlert(change: ChangeContext, alert: AlertCreate): Promise<{ alert: { id: string } }>
  /** Nothing when it is settled already. */
  settleAlert(change: ChangeContext, id: string, fields: AlertUpdate): Promise<unknown>
}

const PLATFORM = 'platform'
const TAG = 'log-source'
/** Of many new sources at once so many are named. */
const NAMED = 20
/** Of many silent sources at once so many get an alert of their own, the others one together. */
const ALONE = 20

/** Said once for each source, however many there are: one notice names the first of them. */
export async function announceSources({ internalWorkflow }: TellDeps) {
  await internalWorkflow(async (change) => {
    const found = await change.tx
      .updateTable('log_sources')
      .set({ is_announced: true })
      .where('is_announced', '=', false)
      .returning(['source', 'first_received_at'])
      .execute()
    if (found.length === 0) return
    const sources = found
      .map(({ source }) => source)
      .sort()
      .slice(0, NAMED)
    const news = { count: found.length, sources }
    await change.audit({ action: 'source.new', target: 'log_sources', after: news })
    await change.publish('source.new', news)
  })
}

/** One alert a source; one for all of them when nobody speaks any more. */
export async function tellSilence(
  deps: TellDeps,
  due: QuietSource[],
  nobodySince: Date | undefined,
  now: number,
) {
  if (nobodySince) return tellIntake(deps, nobodySince)
  const together: QuietSource[] = due.length > ALONE ? due.slice(ALONE) : []
  for (const one of due.slice(0, ALONE)) {
    await deps.internalWorkflow(async (change) => {
      if (!(await markSilent(change, one, now))) return
      const { alert } = await deps.raiseAlert(change, silenceOf(one))
      await nameAlert(change, [one], alert.id)
    })
  }
  if (together.length === 0) return
  await deps.internalWorkflow(async (change) => {
    const marked: QuietSource[] = []
    for (const one of together) if (await markSilent(change, one, now)) marked.push(one)
    if (marked.length === 0) return
    const { alert } = await deps.raiseAlert(change, silenceOfMany(marked, now))
    await nameAlert(change, marked, alert.id)
  })
}

/** False when it spoke meanwhile, or another process told of it. */
async function markSilent(change: ChangeContext, one: QuietSource, now: number): Promise<boolean> {
  const { source, last_received_at } = one
  const marked = await change.tx
    .updateTable('log_sources')
    .set({ silent_since: last_received_at, expected_by: null, looked_at: new Date(now) })
    .where('source', '=', source)
    .where('silent_since', 'is', null)
    .where('last_received_at', '=', last_received_at)
    .returning('source')
    .executeTakeFirst()
  if (!marked) return false
  const silence = { source, silent_since: last_received_at.toISOString() }
  await change.audit({ action: 'source.silent', target: `source:${source}`, after: silence })
  await change.publish('source.silent', silence)
  return true
}

async function nameAlert(change: ChangeContext, silent: QuietSource[], id: string) {
  await change.tx
    .updateTable('log_sources')
    .set({ alert_id: id })
    .where(
      'source',
      'in',
      silent.map(({ source }) => source),
    )
    .execute()
}

/** Our own intake, or the way to it: said once, and the sources are not blamed. */
async function tellIntake({ internalWorkflow, raiseAlert }: TellDeps, since: Date) {
  await internalWorkflow(async (change) => {
    const { intake_alert_id } = await change.tx
      .selectFrom('log_source_watch')
      .select('intake_alert_id')
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (intake_alert_id !== null) return
    const { alert } = await raiseAlert(change, INTAKE_SILENT(since))
    const told = { intake_alert_id: alert.id, intake_silent_since: since }
    await change.tx.updateTable('log_source_watch').set(told).execute()
    const silence = { since: since.toISOString() }
    await change.audit({ action: 'source.all_silent', target: 'log_sources', after: silence })
    await change.publish('source.all_silent', silence)
  })
}

/** Who speaks again is no longer silent, and its alert is settled unless someone did that. */
export async function clearSilence(deps: TellDeps, now: number) {
  const { internalWorkflow, settleAlert } = deps
  await internalWorkflow(async (change) => {
    const back = await change.tx
      .updateTable('log_sources as source')
      .from('log_sources as before')
      .whereRef('before.source', '=', 'source.source')
      .whereRef('source.last_received_at', '>', 'source.silent_since')
      .set({ silent_since: null, alert_id: null })
      .returning(['source.source', 'before.silent_since', 'before.alert_id'])
      .execute()
    for (const { source, silent_since } of back) {
      const was = { source, silent_since: silent_since?.toISOString() ?? null }
      await change.audit({ action: 'source.back', target: `source:${source}`, before: was })
      await change.publish('source.back', was)
    }
    const resolution = `It sends again since ${new Date(now).toISOString()}.`
    for (const id of new Set(back.flatMap(({ alert_id }) => alert_id ?? []))) {
      const left = await change.tx
        .selectFrom('log_sources')
        .select('source')
        .where('alert_id', '=', id)
        .limit(1)
        .execute()
      if (left.length === 0) await settleAlert(change, id, { status: 'resolved', resolution })
    }
    await clearIntake(deps, change, resolution, now)
  })
}

async function clearIntake(
  { settleAlert }: TellDeps,
  change: ChangeContext,
  resolution: string,
  now: number,
) {
  const watch = await change.tx
    .selectFrom('log_source_watch')
    .select('intake_alert_id')
    .where('intake_alert_id', 'is not', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('log_sources')
          .select('source')
          .whereRef('last_received_at', '>', 'log_source_watch.intake_silent_since'),
      ),
    )
    .forUpdate()
    .executeTakeFirst()
  if (!watch?.intake_alert_id) return
  await settleAlert(change, watch.intake_alert_id, { status: 'resolved', resolution })
  // The others get the time to come back, too.
  const nothing = { intake_alert_id: null, intake_silent_since: null, up_since: new Date(now) }
  await change.tx.updateTable('log_source_watch').set(nothing).execute()
  await change.publish('source.all_back', {})
}

const silenceOf = ({ source, last_received_at }: QuietSource) =>
  AlertCreate.parse({
    title: `Log source ${source} is silent`,
    severity: 'medium',
    source: PLATFORM,
    source_ref: `source:${source}`,
    tags: [TAG],
    description: `Its last event came at ${last_received_at.toISOString()}. At this time of the week it has never been silent for so long in the last four weeks. Look whether the sender runs, and whether it still reaches this service; until then its events are missing in searches and no rule sees them. This settles itself when it sends again.`,
    first_seen_at: last_received_at.toISOString(),
  })

function silenceOfMany(silent: QuietSource[], now: number) {
  const named = silent.slice(0, 100).map(({ source }) => source)
  return AlertCreate.parse({
    title: `${silent.length} more log sources are silent since ${new Date(now).toISOString()}`,
    severity: 'high',
    source: PLATFORM,
    tags: [TAG],
    description:
      `They stopped against their own rhythm at about the same time: look for what they share, as a forwarder or a network. ${named.join(', ')}`.slice(
        0,
        20_000,
      ),
  })
}

const INTAKE_SILENT = (since: Date) =>
  AlertCreate.parse({
    title: 'No log source sends any more',
    severity: 'high',
    source: PLATFORM,
    tags: [TAG],
    description: `Nothing has come from anybody since ${since.toISOString()}, and several sources stopped together: look at this service's own ways in (ports, certificates, disk, network) and at forwarders that all of them share. The sources themselves are not reported one by one. This settles itself when something comes.`,
    first_seen_at: since.toISOString(),
  })
