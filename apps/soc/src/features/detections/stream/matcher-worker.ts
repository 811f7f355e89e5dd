import { parentPort } from 'node:worker_threads'
import { workInBackground } from '@manara/kit/background-thread'
import type { Answer, Question } from './matcher.ts'
import { createRuleSet } from './rule-set.ts'

workInBackground()

const rules = createRuleSet()

function answer(question: Question): Answer {
  const { call } = question
  switch (question.ask) {
    case 'set':
      return { call, unusable: rules.set(question.rules, question.now) }
    case 'delete':
      rules.delete(question.ids)
      return { call }
    case 'match':
      return { call, found: rules.match(JSON.parse(question.logs)) }
    case 'detect':
      return { call, found: rules.detect(JSON.parse(question.logs)) }
  }
}

parentPort?.on('message', (question: Question) => parentPort?.postMessage(answer(question)))
