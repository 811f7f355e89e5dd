import { type FileHandle, open, readdir, readFile, rm, truncate } from 'node:fs/promises'
import path from 'node:path'
import { writeFileDurably } from '@manara/kit/write-durably'
import { z } from 'zod'

const DraftRecord = z.object({
  path: z.string(),
  size: z.int(),
  sha256: z.string().optional(),
  overwrite: z.boolean(),
  /** Bytes that were on disk when this was written. */
  offset: z.int(),
  /** Unix milliseconds; 0 where the clock was not set. */
  touched_at: z.number(),
})

/** An unfinished file and what is known about it, side by side in a hidden folder of the same disk. */
export type Draft = z.infer<typeof DraftRecord> & { id: string; folder: string }

const ID = /^[0-9a-f]{24}$/

export const partOf = ({ folder, id }: Draft) => path.join(folder, `${id}.part`)
const recordOf = ({ folder, id }: Pick<Draft, 'folder' | 'id'>) => path.join(folder, `${id}.json`)

/** On disk when it resolves, which a worn card may take seconds for; of one draft one at a time. */
export async function saveDraft(draft: Draft): Promise<void> {
  const { id: _, folder: __, ...record } = draft
  await writeFileDurably(recordOf(draft), JSON.stringify(record), 0o600)
}

/** Undefined when there is none, or its record was lost. */
export async function readDraft(folder: string, id: string): Promise<Draft | undefined> {
  if (!ID.test(id)) return undefined
  try {
    const record = DraftRecord.parse(JSON.parse(await readFile(recordOf({ folder, id }), 'utf8')))
    return { ...record, id, folder }
  } catch {
    return undefined
  }
}

export async function listDrafts(folder: string): Promise<Draft[]> {
  const names = await readdir(folder).catch(() => [])
  const ids = names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -5))
  const drafts = await Promise.all(ids.map((id) => readDraft(folder, id)))
  return drafts.filter((draft) => draft !== undefined)
}

export async function removeDraft(draft: Draft): Promise<void> {
  await rm(partOf(draft), { force: true })
  await rm(recordOf(draft), { force: true })
}

/** What nobody can go on with: its record was cut off as it was written, or is lost. */
export async function removeRemains(folder: string, isBusy: (id: string) => boolean) {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  for (const { name } of entries.filter((entry) => entry.isFile())) {
    const [id = ''] = name.split('.')
    if (!ID.test(id) || isBusy(id) || (await readDraft(folder, id))) continue
    // What cannot be removed must not keep the next one from being sent.
    await rm(path.join(folder, name), { force: true }).catch(() => {})
  }
}

/** At the place to go on from; what a power cut left behind it is cut off. */
export async function openPart(draft: Draft): Promise<FileHandle> {
  if (draft.offset > 0) await truncate(partOf(draft), draft.offset)
  return open(partOf(draft), draft.offset > 0 ? 'a' : 'w', 0o644)
}
