import { answerCalls } from '@manara/kit/thread/answer-calls'
import { type DraftCalls, draft, draftEach } from './draft-files.ts'

answerCalls<DraftCalls>({
  draft: ([request]) => draft(request),
  draftEach: ([files, now]) => draftEach(files, now),
})
