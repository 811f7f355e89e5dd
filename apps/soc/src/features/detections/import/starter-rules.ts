import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Logger } from '@manara/kit/logging'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Changes } from '../../../core/change/operator-change.ts'
import type { Tables } from '../../../db/tables.ts'
import { draftFiles } from './draft-files.ts'
import type { DraftChunk } from './draft-rows.ts'
import { storeDrafts } from './store-drafts.ts'

/** Somebody may have deleted one and brought it back: then it is theirs. */
const US = 'system'

export type StarterDeps = {
  db: Kysely<Tables>
  /** Folders of YAML files; `linux/ssh-brute-force.yml` is the rule manara-linux-ssh-brute-force. */
  directory: string
  now(): number
  signal?: AbortSignal
} & Pick<Changes, 'internalWorkflow'>

/**
 * Rules that were never installed here, and those whose files have changed since: a newer version
 * finds more. One that people have changed stays as they have made it, and one they deleted stays
 * deleted. Resolves to how many are new, or changed.
 */
export async function installStarterRules(deps: StarterDeps): Promise<number> {
  const files = await filesIn(deps.directory)
  const installed = await installedFiles(deps.db)
  const stale = files.filter(({ id, digest }) => installed.get(id) !== digest)
  if (stale.length === 0) return 0

  const now = deps.now()
  const { chunks } = await draftFiles(
    { body: new Uint8Array(), files: stale, enable: true, now },
    deps.signal,
  )
  return deps.internalWorkflow(async ({ tx, audit }) => {
    const claimed = await claim(tx, stale)
    const there = await rulesBy(tx, [...claimed.keys()])
    const drafted = new Map(rowsIn(chunks).map((row) => [row.sigma_id, row]))
    const only = [...claimed].flatMap(([id, { isNew, version }]) => {
      const [rule, draft] = [there.get(id), drafted.get(id)]
      if (isNew) return rule ? [] : [id]
      const isOurs = rule?.created_by === US && rule.version === version
      return isOurs && draft && !isSame(rule, draft) ? [id] : []
    })
    const stored = await storeDrafts(tx, chunks, { by: US, setEnabled: false, only })
    await sql`
      UPDATE detection_starter_rules AS own SET version = rule.version FROM detection_rules AS rule
      WHERE rule.sigma_id = own.id AND own.id = ANY(${only}::text[])`.execute(tx)
    const fresh = stored.filter(({ is_new }) => is_new).length
    const after = { installed: fresh, changed: stored.length - fresh }
    if (stored.length > 0) await audit({ action: 'rules.starter', target: 'rules', after })
    return stored.length
  })
}

type StarterFile = { id: string; name: string; content: string; digest: string }

async function filesIn(directory: string): Promise<StarterFile[]> {
  const names = (await readdir(directory, { recursive: true })).filter((name) =>
    name.endsWith('.yml'),
  )
  return Promise.all(
    names.map(async (name) => {
      const content = await readFile(path.join(directory, name), 'utf8')
      const digest = createHash('sha256').update(content).digest('hex')
      return { id: idOf(name), name, content, digest }
    }),
  )
}

/** Of the files those that no other process takes at the same time. */
async function claim(tx: Kysely<Tables>, files: StarterFile[]) {
  const { rows } = await sql<{ id: string; version: number; isNew: boolean }>`
    INSERT INTO detection_starter_rules AS own (id, file)
    SELECT * FROM unnest(${files.map(({ id }) => id)}::text[],
      ${files.map(({ digest }) => digest)}::text[])
    ORDER BY 1
    ON CONFLICT (id) DO UPDATE SET file = excluded.file
      WHERE own.file IS DISTINCT FROM excluded.file
    RETURNING id, version, (xmax = 0) AS "isNew"`.execute(tx)
  return new Map(rows.map(({ id, ...one }) => [id, one]))
}

const SHOWN = ['name', 'description', 'alert_severity', 'mitre_techniques', 'tags'] as const
const MEANING = ['kind', 'query', 'threshold', 'new_terms', 'sequence'] as const
const COMPARED = [...SHOWN, ...MEANING] as const
type Compared = Pick<Selectable<Tables['detection_rules']>, (typeof COMPARED)[number]>

async function rulesBy(tx: Kysely<Tables>, ids: string[]) {
  const rows = await tx
    .selectFrom('detection_rules')
    .select(['sigma_id', 'version', 'created_by', ...COMPARED])
    .where('sigma_id', '=', sql<string>`ANY(${ids}::text[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
  return new Map(rows.map((row) => [row.sigma_id, row]))
}

const rowsIn = (chunks: DraftChunk[]) =>
  chunks.flatMap(({ rows }) => JSON.parse(rows) as (Compared & { sigma_id: string })[])

const isSame = (one: Compared, other: Compared) =>
  COMPARED.every((name) => isDeepStrictEqual(one[name] ?? null, other[name] ?? null))

/** As a worker's pass: tries until it has worked once, then there is nothing left to do. */
export function installOnce(deps: StarterDeps & { log: Logger }): () => Promise<boolean> {
  let isDone = false
  return async () => {
    if (isDone) return false
    const count = await installStarterRules(deps)
    if (count > 0) deps.log.info({ count }, 'starter rules were installed or renewed')
    isDone = true
    return false
  }
}

const idOf = (name: string) => `manara-${name.replace(/\.yml$/, '').replaceAll(/[/\\]/g, '-')}`

async function installedFiles(db: Kysely<Tables>): Promise<Map<string, string | null>> {
  const rows = await db.selectFrom('detection_starter_rules').select(['id', 'file']).execute()
  return new Map(rows.map(({ id, file }) => [id, file]))
}
