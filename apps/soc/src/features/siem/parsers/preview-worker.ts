import { invalid } from '@manara/kit/errors'
import { answerCalls, workInBackground } from '@manara/kit/thread/answer-calls'
import { type PreviewWork, previewEvents } from './preview-events.ts'

export type PreviewCalls = { preview(work: PreviewWork): ReturnType<typeof previewEvents> }

workInBackground()

answerCalls<PreviewCalls>({
  preview([work]) {
    try {
      return previewEvents(work)
    } catch (error) {
      throw invalid('definition', error instanceof Error ? error.message : 'cannot be used')
    }
  },
})
