import { invalid } from '@manara/kit/errors'
import type { PlaybookDefinition } from '@manara/soc-contract/playbooks'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import type { ActionFunctions } from '../actions/functions.ts'
import { checkPlaybook, type KnownActions } from '../domain/check-playbook.ts'
import { checkSecrets, secretsOfPlaybook } from '../domain/secrets.ts'

export type CheckDeps = { known: KnownActions } & Pick<ActionFunctions, 'findSecrets'>

/** Everything that can be told before it runs, and that the secrets it names are stored. */
export async function checkBeforeSaving(
  { known, findSecrets }: CheckDeps,
  { tx }: ChangeContext,
  definition: PlaybookDefinition,
  approversBefore: string[] | null = null,
): Promise<void> {
  checkPlaybook(definition, known)
  checkSecrets(definition.steps, await findSecrets(tx, secretsOfPlaybook(definition.steps)))
  await refuseUnknownApprovers(tx, definition.approvers, approversBefore)
}

/** Nobody could decide; who was named before may have left since. */
async function refuseUnknownApprovers(
  tx: ChangeContext['tx'],
  approvers: string[] | null,
  before: string[] | null,
) {
  const added = approvers?.filter((name) => !before?.includes(name)) ?? []
  if (added.length === 0) return
  const rows = await tx
    .selectFrom('users')
    .select('username')
    .where('username', 'in', added)
    .execute()
  const unknown = added.find((name) => !rows.some(({ username }) => username === name))
  if (unknown === undefined) return
  throw invalid(`approvers.${approvers?.indexOf(unknown)}`, `no user is called ${unknown}`)
}
