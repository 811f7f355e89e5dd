import { randomUUIDv7 } from 'node:crypto'
import { invalid } from '@manara/kit/errors'
import { type Kysely, sql } from 'kysely'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import { isRecordId } from '../../db/record-id.ts'
import type { Tables } from '../../db/tables.ts'
import { type Indicator, spelled } from './domain/normalise.ts'
import { newIndicator } from './domain/too-wide.ts'
import { iocById } from './iocs.store.ts'
import { mergeIocs, untouched } from './merge-iocs.ts'

const DAY = 86_400_000

/** Those that stand; in data from before they were counted it is one. */
const BLOCKS = sql`CASE WHEN before_block IS NULL THEN 0
  ELSE coalesce((before_block->>'blocks')::integer, 1) END`

export type Block = { values: string[]; score: number; valid_days: number; reason: string | null }

/**
 * Each value as an indicator that counts from now on. What it was before the first block is kept for
 * the way back, with how many blocks there are. What others wrote into an alert may be no indicator,
 * or match everything: that is said, and the others are blocked.
 */
export async function blockIndicators(
  change: ChangeContext,
  { values, score, valid_days, reason }: Block,
): Promise<{ indicator_ids: string[]; values: string[]; skipped: string[] }> {
  const indicators = new Map<string, Indicator>()
  const skipped: string[] = []
  for (const value of values) {
    const indicator = newIndicator(value)
    if (typeof indicator === 'string') skipped.push(`${value} ${indicator}`)
    else indicators.set(`${indicator.type} ${indicator.value}`, indicator)
  }
  if (indicators.size === 0 && skipped[0]) throw invalid('values', skipped[0])
  const ids: string[] = []
  for (const [, indicator] of [...indicators].sort(([a], [b]) => (a < b ? -1 : 1))) {
    ids.push(await blockOne(change, indicator, { score, valid_days, reason }))
  }
  return { indicator_ids: ids, values: [...indicators.values()].map(spelled), skipped }
}

async function blockOne(change: ChangeContext, indicator: Indicator, block: Omit<Block, 'values'>) {
  const { tx, principal } = change
  const before = await stateOf(tx, indicator)
  const incoming = {
    ...indicator,
    id: randomUUIDv7(),
    score: block.score,
    tlp: 'amber',
    valid_until: new Date(Date.now() + block.valid_days * DAY).toISOString(),
    sources: ['playbook'],
    tags: ['blocked'],
    description: block.reason,
  }
  const given = JSON.stringify([incoming])
  const [merged] = await mergeIocs(tx, given, principal.username, untouched)
  const id = merged?.id ?? incoming.id
  await tx
    .updateTable('iocs')
    .set({
      revoked: false,
      before_block: sql<string>`coalesce(before_block, ${JSON.stringify(before ?? {})}::jsonb)
        || jsonb_build_object('blocks', ${BLOCKS} + 1)`,
    })
    .where('id', '=', id)
    .execute()
  const after = await iocById(tx, id)
  await change.audit({ action: 'ioc.block', target: `ioc:${id}`, before, after })
  await change.publish('ioc.updated', after)
  return id
}

/**
 * Takes one block of each back. With the last one, an indicator that only a block made is revoked, and
 * any other is as it was, with what was told of it since; what was revoked since stays so.
 */
export async function unblockIndicators(change: ChangeContext, ids: string[]): Promise<void> {
  for (const id of new Set(ids.filter(isRecordId).toSorted())) {
    const blocks = await takeOneBack(change.tx, id)
    if (blocks === undefined) continue
    if (blocks === 0) await restore(change.tx, id)
    const after = await iocById(change.tx, id)
    await change.audit({ action: 'ioc.unblock', target: `ioc:${id}`, after: { ...after, blocks } })
    if (blocks === 0) await change.publish('ioc.updated', after)
  }
}

/** How many blocks are left; nothing for an indicator without any. */
async function takeOneBack(tx: Kysely<Tables>, id: string): Promise<number | undefined> {
  const { rows } = await sql<{ blocks: number }>`
    UPDATE iocs SET before_block = before_block || jsonb_build_object('blocks', ${BLOCKS} - 1)
    WHERE id = ${id} AND before_block IS NOT NULL
    RETURNING (before_block->>'blocks')::integer AS blocks`.execute(tx)
  return rows[0]?.blocks
}

async function restore(tx: Kysely<Tables>, id: string) {
  await sql`
    UPDATE iocs SET
      revoked = revoked OR coalesce((before_block->>'revoked')::boolean, true),
      score = coalesce((before_block->>'score')::smallint, score),
      scored_at = coalesce((before_block->>'scored_at')::timestamptz, scored_at),
      valid_until = CASE WHEN before_block ? 'valid_until'
        THEN (before_block->>'valid_until')::timestamptz ELSE valid_until END,
      tags = array_remove(tags, 'blocked'),
      before_block = NULL, updated_at = now(), changed_xid = pg_current_xact_id()
    WHERE id = ${id}`.execute(tx)
}

async function stateOf(tx: Kysely<Tables>, { type, value }: Indicator) {
  return tx
    .selectFrom('iocs')
    .select(['revoked', 'score', 'scored_at', 'valid_until'])
    .where('type', '=', type)
    .where('value', '=', value)
    .forUpdate()
    .executeTakeFirst()
}
