import { AppError, invalid } from '../errors.ts'
import { answerCalls, tellNews } from '../thread/answer-calls.ts'
import { handOver } from '../thread/hand-over.ts'

export type SampleCalls = {
  add(a: number, b: number): number
  refuse(): never
  fail(): never
  failUnsendably(status?: number): never
  die(): never
  stray(): void
  wait(): Promise<string>
  given(): number
  turnedRound(bytes: { buffer: ArrayBuffer }): { buffer: ArrayBuffer }
  left(): number
}

let givenUp = 0
let last: { buffer: ArrayBuffer } | undefined

answerCalls<SampleCalls>({
  add: ([a, b]) => a + b,
  refuse() {
    throw invalid('sum', 'is too large')
  },
  fail() {
    throw new TypeError('a bug')
  },
  failUnsendably([status]) {
    const held = { cause: () => {} }
    throw status ? new AppError(status, 'holds what stays here', held) : new Error('held', held)
  },
  die: () => process.exit(3),
  stray() {
    void Promise.reject(new Error('forgotten'))
  },
  wait: (_, signal) =>
    new Promise((_resolve, reject) => {
      tellNews('it waits')
      signal.addEventListener('abort', () => {
        givenUp += 1
        reject(signal.reason)
      })
    }),
  given: () => givenUp,
  turnedRound([bytes]) {
    new Uint8Array(bytes.buffer).reverse()
    last = bytes
    return handOver(bytes, bytes.buffer)
  },
  left: () => last?.buffer.byteLength ?? -1,
})
