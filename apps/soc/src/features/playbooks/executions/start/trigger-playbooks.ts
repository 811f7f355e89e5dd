import { AppError } from '@manara/kit/errors'
import type { Logger } from '@manara/kit/logging'
import { type Kysely, sql } from 'kysely'
import type { ChangeContext, Changes } from '../../../../core/change/operator-change.ts'
import { tryInside } from '../../../../core/change/try-inside.ts'
import { followEvents } from '../../../../core/live/follow-events.ts'
import type { Tables } from '../../../../db/tables.ts'
import type { ActionFunctions } from '../../actions/functions.ts'
import type { PlaybookRow } from '../../definitions/playbook-record.ts'
import { evaluate, isTrue } from '../../domain/evaluate.ts'
import { parseExpression } from '../../domain/expression.ts'
import { resolveParameters } from '../../domain/parameters.ts'
import { beginExecution } from './begin-execution.ts'
import type { TargetFunctions } from './find-targets.ts'
import type { Ask } from './store-execution.ts'

type Functions = Pick<ActionFunctions, 'requestApproval'> & TargetFunctions

/** Looks at the alerts that came since the last look, and whether there are more. */
export async function triggerPlaybooks(
  deps: { db: Kysely<Tables>; log: Pick<Logger, 'error'> } & Pick<Changes, 'internalWorkflow'>,
  functions: Functions,
): Promise<{ isMoreLeft: boolean; mayHaveBegun: boolean }> {
  let mayHaveBegun = false
  const isMoreLeft = await followEvents(deps, 'playbook_trigger_head', async (change, events) => {
    const alerts = events.filter(({ event }) => event === 'alert.created')
    const playbooks = alerts.length > 0 ? await triggered(change) : []
    mayHaveBegun = playbooks.length > 0
    for (const { data } of alerts) {
      for (const playbook of playbooks) {
        // One that cannot be started must not keep every other from every alert, for ever.
        const failed = await tryInside(change, (part) =>
          begin(functions, part, playbook, data as Alerted),
        )
        if (failed) await tellFailure(deps, change, playbook, data as Alerted, failed.thrown)
      }
    }
  })
  return { isMoreLeft, mayHaveBegun }
}

async function tellFailure(
  { log }: { log: Pick<Logger, 'error'> },
  { audit }: ChangeContext,
  { id, name }: PlaybookRow,
  alert: Alerted,
  thrown: unknown,
) {
  log.error({ err: thrown, playbook: id, alert: alert.id }, 'a playbook was not triggered')
  const error = thrown instanceof AppError ? thrown.message : 'failed inside the service'
  await audit({
    action: 'playbook.trigger_failed',
    target: `playbook:${id}`,
    after: { name, alert_id: alert.id, error },
  })
}

type Alerted = { id: string; case_id: string | null }

const triggered = ({ tx }: ChangeContext) =>
  tx
    .selectFrom('playbooks')
    .selectAll()
    .where('deleted_at', 'is', null)
    .where('enabled', '=', true)
    .where(sql<boolean>`trigger->>'on' = 'alert.created'`)
    .orderBy('id')
    .execute()

async function begin(
  functions: Functions,
  change: ChangeContext,
  playbook: PlaybookRow,
  alert: Alerted,
) {
  const { when } = playbook.trigger
  if (when !== null && !isTrue(evaluate(parseExpression(when), { alert }))) return
  const ask: Omit<Ask, 'targets' | 'context'> = {
    trigger: 'alert.created',
    dry_run: false,
    alert_id: alert.id,
    case_id: alert.case_id,
    parameters: resolveParameters(playbook.parameters, {}),
    requested_by: change.principal.username,
  }
  await beginExecution(functions, change, playbook, ask)
}
