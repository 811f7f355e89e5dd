import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Logger } from '@manara/kit/logging'
import type { Kysely } from 'kysely'
import type { Changes } from '../../../core/change/operator-change.ts'
import type { Tables } from '../../../db/tables.ts'
import { draftFiles } from './draft-files.ts'
import { storeDrafts } from './store-drafts.ts'

export type StarterDeps = {
  db: Kysely<Tables>
  /** Folders of YAML files; `linux/ssh-brute-force.yml` is the rule manara-linux-ssh-brute-force. */
  directory: string
  now(): number
  signal?: AbortSignal
} & Pick<Changes, 'internalWorkflow'>

/**
 * Rules that were never installed here. One that is there stays as people have made it, and one
 * they deleted stays deleted. Resolves to how many are new.
 */
export async function installStarterRules(deps: StarterDeps): Promise<number> {
  const names = (await readdir(deps.directory, { recursive: true })).filter((name) =>
    name.endsWith('.yml'),
  )
  const installed = await installedIds(deps.db)
  const missing = names.filter((name) => !installed.has(idOf(name)))
  if (missing.length === 0) return 0

  const files = await Promise.all(
    missing.map(async (name) => ({
      name,
      content: await readFile(path.join(deps.directory, name), 'utf8'),
    })),
  )
  const now = deps.now()
  const { chunks } = await draftFiles(
    { body: new Uint8Array(), files, enable: true, now },
    deps.signal,
  )
  return deps.internalWorkflow(async ({ tx, audit }) => {
    const claimed = await tx
      .insertInto('detection_starter_rules')
      .values(missing.map((name) => ({ id: idOf(name) })))
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .execute()
    const known = await tx
      .selectFrom('detection_rules')
      .select('sigma_id')
      .where('sigma_id', 'in', missing.map(idOf))
      .execute()
    const there = new Set(known.map(({ sigma_id }) => sigma_id))
    const only = claimed.map(({ id }) => id).filter((id) => !there.has(id))
    const fresh = await storeDrafts(tx, chunks, { by: 'system', setEnabled: false, only })
    await audit({ action: 'rules.starter', target: 'rules', after: { installed: fresh.length } })
    return fresh.length
  })
}

/** As a worker's pass: tries until it has worked once, then there is nothing left to do. */
export function installOnce(deps: StarterDeps & { log: Logger }): () => Promise<boolean> {
  let isDone = false
  return async () => {
    if (isDone) return false
    const count = await installStarterRules(deps)
    if (count > 0) deps.log.info({ count }, 'starter rules were installed')
    isDone = true
    return false
  }
}

const idOf = (name: string) => `manara-${name.replace(/\.yml$/, '').replaceAll(/[/\\]/g, '-')}`

async function installedIds(db: Kysely<Tables>): Promise<Set<string>> {
  const rows = await db.selectFrom('detection_starter_rules').select('id').execute()
  return new Set(rows.map(({ id }) => id))
}
