import { AppError, invalid } from '@manara/kit/errors'
import { createFairTurns } from '@manara/kit/fair-turns'
import { startThread } from '@manara/kit/thread/start-thread'
import type { PreviewWork, previewEvents } from './preview-events.ts'
import type { PreviewCalls } from './preview-worker.ts'

const WORKER = new URL('./preview-worker.ts', import.meta.url)
const MOST_MS = 15_000

/** Each has a thread, and may keep a core busy until it is ended. */
const turns = createFairTurns({
  ...{ atOnce: 2, each: 20 },
  tooMuch: 'too many parsers are being tried at once: try again in a moment',
})

type Preview = ReturnType<typeof previewEvents>

/** In a thread of its own, which is ended when it takes too long; two at once. */
export const askPreview = (work: PreviewWork): Promise<Preview> =>
  turns.run('everybody', () => preview(work))

async function preview(work: PreviewWork): Promise<Preview> {
  const thread = startThread<PreviewCalls>(WORKER)
  let timer: NodeJS.Timeout | undefined
  try {
    // How long a busy machine takes to start it is no fault of the pattern.
    await thread.call('begin', [])
    timer = setTimeout(() => void thread.end(), MOST_MS)
    return await thread.call('preview', [work])
  } catch (error) {
    if (error instanceof AppError) throw error
    throw invalid('definition', 'takes too long to read one event: make the pattern simpler')
  } finally {
    clearTimeout(timer)
    await thread.end()
  }
}
