import { answerCalls, workInBackground } from '@manara/kit/thread/answer-calls'
import { type AnalystCalls, createAnalyst } from './analyst.ts'

workInBackground()

const analyst = createAnalyst()

answerCalls<AnalystCalls>({
  forget: () => analyst.forget(),
  take: (args) => analyst.take(...args),
  needs: (args) => analyst.needs(...args),
  conclude: (args) => analyst.conclude(...args),
  learn: (args) => analyst.learn(...args),
  learnt: () => analyst.learnt(),
})
