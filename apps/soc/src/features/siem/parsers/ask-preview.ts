import { AppError, invalid } from '@manara/kit/errors'
import { startThread } from '@manara/kit/thread/start-thread'
import type { PreviewWork, previewEvents } from './preview-events.ts'
import type { PreviewCalls } from './preview-worker.ts'

const WORKER = new URL('./preview-worker.ts', import.meta.url)
const MOST_MS = 15_000

/** In a thread of its own, which is ended when it takes too long. */
export async function askPreview(work: PreviewWork): Promise<ReturnType<typeof previewEvents>> {
  const thread = startThread<PreviewCalls>(WORKER)
  const timer = setTimeout(() => void thread.end(), MOST_MS)
  try {
    return await thread.call('preview', [work])
  } catch (error) {
    if (error instanceof AppError) throw error
    throw invalid('definition', 'takes too long to read one event: make the pattern simpler')
  } finally {
    clearTimeout(timer)
    await thread.end()
  }
}
