import type { ParserPreview, ParserPreviewDraft } from '@manara/soc-contract/parsers'
import { selectionOf } from '../search/domain/selection.ts'
import type { ReadLogs } from '../search/readable-logs.ts'
import { askPreview } from './ask-preview.ts'

/** The newest stored events of the source, read in a thread of their own. */
export function createPreview(deps: { readLogs: ReadLogs; timeLimitMs: number; now(): number }) {
  return async (
    { source, definition, samples, from, to, limit }: ParserPreviewDraft,
    signal: AbortSignal,
  ): Promise<ParserPreview> => {
    const { logs } = await deps.readLogs((store) =>
      store.search(
        {
          ...selectionOf({ source, from, to }, deps.now()),
          ...{ skip: 0, limit, order: 'desc', countUpTo: 0 },
        },
        { signal, timeLimitMs: deps.timeLimitMs },
      ),
    )
    const work = { definition, samples, logs, receivedAt: deps.now() }
    return { source, ...(await askPreview(work)) }
  }
}
