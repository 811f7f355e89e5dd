import { invalid } from '@manara/kit/errors'
import { answerCalls, workInBackground } from '@manara/kit/thread/answer-calls'
import { type PreviewWork, previewEvents } from './preview-events.ts'

export type PreviewCalls = {
  begin(): void
  preview(work: PreviewWork): ReturnType<typeof previewEvents>
}

workInBackground()

answerCalls<PreviewCalls>({
  begin() {},
  preview([work]) {
    try {
      return previewEvents(work)
    } catch (error) {
      throw invalid('definition', error instanceof Error ? error.message : 'cannot be used')
    }
  },
})
