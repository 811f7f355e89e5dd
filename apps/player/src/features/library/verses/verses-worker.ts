import { answerCalls, workInBackground } from '@manara/kit/thread/answer-calls'
import { findVerses } from './domain/find-verses.ts'
import { readTiming } from './read-timing.ts'

/** Solving takes seconds and megabytes, and a timing file is foreign: both are done in a thread. */
export type VersesCalls = { find: typeof findVerses; readTiming: typeof readTiming }

workInBackground()
answerCalls<VersesCalls>({
  find: (args) => findVerses(...args),
  readTiming: (args) => readTiming(...args),
})
