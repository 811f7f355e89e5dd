import { invalid } from '../errors.ts'
import { answerCalls, tellNews } from '../thread/answer-calls.ts'

export type SampleCalls = {
  add(a: number, b: number): number
  refuse(): never
  fail(): never
  die(): never
  wait(): Promise<string>
  given(): number
}

let givenUp = 0

answerCalls<SampleCalls>({
  add: ([a, b]) => a + b,
  refuse() {
    throw invalid('sum', 'is too large')
  },
  fail() {
    throw new TypeError('a bug')
  },
  die: () => process.exit(3),
  wait: (_, signal) =>
    new Promise((_resolve, reject) => {
      tellNews('it waits')
      signal.addEventListener('abort', () => {
        givenUp += 1
        reject(signal.reason)
      })
    }),
  given: () => givenUp,
})
