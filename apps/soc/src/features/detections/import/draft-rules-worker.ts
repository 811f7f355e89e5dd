import { answerCalls } from '@manara/kit/thread/answer-calls'
import { type DraftCalls, draft } from './draft-files.ts'

answerCalls<DraftCalls>({ draft: ([request]) => draft(request) })
