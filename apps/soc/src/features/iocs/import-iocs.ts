import { AppError, invalid } from '@manara/kit/errors'
import { askThread } from '@manara/kit/thread/start-thread'
import type { IocImportResult } from '@manara/soc-contract/iocs'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import { countMerged } from './merge-iocs.ts'
import type { ImportFile, ReadImport } from './parse/parse-import.ts'
import type { ReadImportCalls } from './parse/read-import-worker.ts'

export type ReadFile = Exclude<ReadImport, { problem: string }>

/** In a thread of its own: a file of a hundred thousand would hold up everybody else. */
export async function readInThread(
  file: Omit<ImportFile, 'text'> & { bytes: Uint8Array },
  signal: AbortSignal,
): Promise<ReadFile> {
  const worker = new URL('./parse/read-import-worker.ts', import.meta.url)
  const read = await askThread<ReadImportCalls, 'read'>(worker, 'read', [file], signal)
  if ('problem' in read) throw invalid('body', read.problem)
  return read
}

/** All of the file or, if something fails, nothing of it. */
export async function importIocs(change: ChangeContext, file: ReadFile): Promise<IocImportResult> {
  let imported = 0
  let updated = 0
  for (const batch of file.batches) {
    const merged = await countMerged(change.tx, batch, change.principal.username)
    imported += merged.imported
    updated += merged.updated
  }
  const { format, skipped, skippedCount, ignored } = file
  const ignored_count = ignored.reduce((sum, { count }) => sum + count, 0)
  const counts = { format, imported, updated, skipped_count: skippedCount, ignored_count }
  await change.audit({ action: 'ioc.import', target: 'iocs', after: counts })
  await change.publish('ioc.imported', counts)
  return { ...counts, skipped, ignored }
}

export const noBody = () => new AppError(400, 'body: send a STIX bundle, MISP JSON or text/csv')
