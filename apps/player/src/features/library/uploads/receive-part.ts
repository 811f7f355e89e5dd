import { invalid } from '@manara/kit/errors'
import { type Draft, openPart, saveDraft } from './draft.ts'

const SYNC_EVERY = 4 * 2 ** 20

export type PartDeps = { now(): number; onProgress(): void }

/** Appends to the draft. What has arrived is on disk and counted when this ends, however it ends. */
export async function receivePart(
  { now, onProgress }: PartDeps,
  draft: Draft,
  chunks: AsyncIterable<Uint8Array>,
): Promise<void> {
  const handle = await openPart(draft)
  let written = draft.offset

  async function keep() {
    await handle.datasync()
    draft.offset = written
    draft.touched_at = now()
    await saveDraft(draft)
    onProgress()
  }

  try {
    for await (const chunk of chunks) {
      if (written + chunk.length > draft.size)
        throw invalid('Upload-Length', `more than the ${draft.size} bytes that were announced`)
      // All of it, or it throws: a card that is nearly full takes a part of a piece without a word.
      await handle.writeFile(chunk)
      written += chunk.length
      if (written - draft.offset >= SYNC_EVERY) await keep()
    }
  } finally {
    try {
      if (written > draft.offset) await keep()
    } finally {
      await handle.close()
    }
  }
}
