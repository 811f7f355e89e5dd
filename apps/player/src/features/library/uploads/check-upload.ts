import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { invalid } from '@manara/kit/errors'
import { type Draft, partOf } from './draft.ts'

/** Rejects with words that can be shown when the file is not sound that this box can play. */
export type ProbeAudio = (file: string, extension: string) => Promise<void>

/** Reads back what the disk has kept, which is what will be played. */
export async function checkUpload(draft: Draft, probe: ProbeAudio): Promise<void> {
  const file = partOf(draft)
  if (draft.sha256 !== undefined && (await digestOf(file)) !== draft.sha256.toLowerCase())
    throw invalid('sha256', 'is not that of the file that arrived; send it again')
  const extension = draft.path.slice(draft.path.lastIndexOf('.') + 1).toLowerCase()
  await probe(file, extension).catch((error: Error) => {
    throw invalid('path', `cannot be played: ${error.message}`)
  })
}

async function digestOf(file: string): Promise<string> {
  const digest = createHash('sha256')
  for await (const chunk of createReadStream(file)) digest.update(chunk)
  return digest.digest('hex')
}
