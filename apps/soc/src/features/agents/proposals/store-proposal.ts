import { randomUUIDv7 } from 'node:crypto'
import type { Proposal } from '@manara/soc-contract/proposals'
import { storable } from '@manara/soc-contract/storable'
import { type Kysely, sql } from 'kysely'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { storableJson } from '../../../db/storable.ts'
import type { Tables } from '../../../db/tables.ts'
import { filledCites } from '../findings/cited.ts'
import type { NewProposal } from '../queue/agent-work.ts'
import { hashOf, KINDS } from './domain/kinds.ts'
import { casesNamed, toldOf, toProposal } from './proposal-record.ts'
import { setProposal } from './proposals.store.ts'

/** What acts is worth little tomorrow; what keeps records in order can wait for a quiet hour. */
const HOURS = { acts: 24, records: 168 }

/**
 * Nothing for a twin: one that is open, or that people have decided lately. Who rejects a proposal
 * is not asked again for a month.
 */
export async function storeProposal(
  change: ChangeContext,
  from: { agentId: string | null; runId: string | null },
  proposal: NewProposal,
): Promise<Proposal | undefined> {
  const key = storable(proposal.key).slice(0, 1_000)
  if (await wasDecided(change.tx, key)) return undefined
  if (from.agentId) await replaceOlder(change, from.agentId, key, hashOf(proposal.action))
  const { effect, risk, wayBack } = KINDS[proposal.action.kind]
  const row = await change.tx
    .insertInto('proposals')
    .values({
      id: randomUUIDv7(),
      agent_id: from.agentId,
      run_id: from.runId,
      proposed_by: change.principal.username,
      key,
      kind: proposal.action.kind,
      title: storable(proposal.title).slice(0, 500),
      rationale: proposal.rationale.map((reason) => storable(reason).slice(0, 2_000)),
      action: storableJson(proposal.action),
      action_sha256: hashOf(proposal.action),
      effect,
      risk,
      way_back: wayBack,
      evidence: storableJson(proposal.evidence ?? {}),
      cites: storableJson(filledCites(proposal.cites)),
      expires_at: sql<string>`now() + ${HOURS[effect]} * interval '1 hour'`,
    })
    .onConflict((conflict) => conflict.column('key').where('status', '=', 'open').doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!row) return undefined
  const stored = toProposal(row)
  await change.audit({
    action: 'proposal.create',
    target: `proposal:${row.id}`,
    after: {
      title: row.title,
      action: stored.action,
      action_sha256: row.action_sha256,
      cases_named: await casesNamed(change.tx, row),
    },
  })
  await change.publish('proposal.created', toldOf(stored))
  return stored
}

/** The agent has learnt more since: nobody should accept what it proposed before. */
async function replaceOlder(change: ChangeContext, agentId: string, key: string, hash: string) {
  const older = await change.tx
    .selectFrom('proposals')
    .select('id')
    .where('key', '=', key)
    .where('status', '=', 'open')
    .where('agent_id', '=', agentId)
    .where('action_sha256', '<>', hash)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!older) return
  const status_reason = 'replaced by a newer one'
  await change.audit({
    action: 'proposal.withdraw',
    target: `proposal:${older.id}`,
    after: { status_reason },
  })
  await setProposal(change, older.id, { status: 'withdrawn', status_reason })
}

async function wasDecided(tx: Kysely<Tables>, key: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM proposals WHERE key = ${key} AND (
      (status IN ('rejected', 'undone') AND decided_at > now() - interval '30 days')
      OR (status = 'accepted' AND decided_at > now() - interval '7 days'))
    LIMIT 1`.execute(tx)
  return rows.length > 0
}
