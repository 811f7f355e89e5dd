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
): Promise<void> {
  checkPlaybook(definition, known)
  checkSecrets(definition.steps, await findSecrets(tx, secretsOfPlaybook(definition.steps)))
}
