import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { canonicalJson } from '@manara/soc-contract/canonical-json'
import { PlaybookFile } from '@manara/soc-contract/playbooks'
import { type Kysely, sql } from 'kysely'
import { parse } from 'yaml'
import type { Tables } from '../../../db/tables.ts'
import { checkPlaybook, type KnownActions } from '../domain/check-playbook.ts'
import { columnsOf } from './playbooks.store.ts'

export type ShippedPlaybook = { file: PlaybookFile; hash: string }

/** A file that is wrong is a bug of ours: it stops the start and names itself. */
export function readShipped(directory: string, known: KnownActions): ShippedPlaybook[] {
  const names = readdirSync(directory).filter((name) => name.endsWith('.yaml'))
  return names.sort().map((name) => {
    try {
      const playbook = read(readFileSync(path.join(directory, name), 'utf8'))
      const { file } = playbook
      if (`${file.id}.yaml` !== name) throw new Error(`id: must be ${path.parse(name).name}`)
      checkPlaybook(file, known)
      return playbook
    } catch (error) {
      throw new Error(`playbook ${name}: ${(error as Error).message}`, { cause: error })
    }
  })
}

/** Services of one process, as tests start them by the hundred, read the same texts. */
const readBefore = new Map<string, ShippedPlaybook>()

function read(text: string): ShippedPlaybook {
  const before = readBefore.get(text)
  if (before) return before
  const file = PlaybookFile.parse(parse(text))
  const hash = createHash('sha256').update(canonicalJson(file)).digest('hex')
  readBefore.set(text, { file, hash })
  return { file, hash }
}

/**
 * New ones are added, unedited ones brought up to date; what somebody edited, deleted or switched
 * on or off stays so. Several processes may start at once.
 */
export async function loadShipped(db: Kysely<Tables>, shipped: ShippedPlaybook[]) {
  for (const { file, hash } of await stale(db, shipped)) {
    const { id, version, ...definition } = file
    const columns = columnsOf(definition)
    const { enabled: _, ...upgraded } = columns
    await db
      .insertInto('playbooks')
      .values({ ...columns, id, version, origin: 'shipped', shipped_hash: hash })
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet({
            ...upgraded,
            version: sql`greatest(playbooks.version + 1, excluded.version)`,
            shipped_hash: hash,
            updated_by: 'system',
            approved_by: null,
            updated_at: sql`now()`,
          })
          .where('playbooks.is_edited', '=', false)
          .where('playbooks.deleted_at', 'is', null)
          .where('playbooks.shipped_hash', '!=', hash),
      )
      .execute()
  }
}

async function stale(db: Kysely<Tables>, shipped: ShippedPlaybook[]) {
  const rows = await db.selectFrom('playbooks').select(['id', 'shipped_hash']).execute()
  const known = new Map(rows.map((row) => [row.id, row.shipped_hash]))
  return shipped.filter(({ file, hash }) => known.get(file.id) !== hash)
}
