import { answerCalls, workInBackground } from '@manara/kit/thread/answer-calls'
import type { StoredLog } from '../../../ports/log-store.ts'
import type { EnabledParser } from '../normalise/own/own-parsers.ts'
import { type RereadAnswer, rereadBatch } from './reread-batch.ts'

export type RereadCalls = {
  reread(logs: StoredLog[], parsers: EnabledParser[], mostExamples: number): RereadAnswer
}

workInBackground()

answerCalls<RereadCalls>({
  reread: ([logs, parsers, mostExamples]) => rereadBatch(logs, parsers, mostExamples),
})
