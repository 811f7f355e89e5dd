import { RARE } from './logs-events.ts'

/** What every engine is asked; a text is looked for in the message and the values of all fields. */
export type LogQueries = {
  /** The newest of a text: how many were found. */
  lastFifty(text: string, from: number): Promise<number>
  total(text: string, from: number): Promise<number>
  everywhere(text: string): Promise<number>
  hourly(from: number): Promise<number>
  top(column: 'source' | 'severity'): Promise<number>
}

export const QUESTIONS = {
  rows: 'last 50 of a text in 24 h',
  total: 'its exact total',
  histogram: 'counts by hour and severity, 7 days',
  sources: 'top sources of everything',
  severities: 'top severities of everything',
  word: 'rare word, everything',
  address: 'rare address, everything',
  hash: 'rare hash, everything',
} as const

export type Question = keyof typeof QUESTIONS
export type Times = Partial<Record<Question, number>>

export const TERM = 'failed password'
export const HOUR_MS = 3_600_000

export const asks = (
  queries: LogQueries,
  end: number,
): Record<Question, () => Promise<number>> => ({
  rows: () => queries.lastFifty(TERM, end - 24 * HOUR_MS),
  total: () => queries.total(TERM, end - 24 * HOUR_MS),
  histogram: () => queries.hourly(end - 7 * 24 * HOUR_MS),
  sources: () => queries.top('source'),
  severities: () => queries.top('severity'),
  word: () => queries.everywhere(RARE.term),
  address: () => queries.everywhere(RARE.address),
  hash: () => queries.everywhere(RARE.hash),
})

const TURNS = 9
const PATIENCE_MS = 10_000

/** Medians in milliseconds, after one turn that is not counted; of slow ones fewer turns. */
export async function measureQuestions(who: string, queries: LogQueries, end: number) {
  const times: Times = {}
  for (const [question, ask] of Object.entries(asks(queries, end))) {
    if ((await ask()) === 0) throw new Error(`${who} found nothing: ${question}`)
    const turns: number[] = []
    const began = performance.now()
    while (turns.length < TURNS && performance.now() - began < PATIENCE_MS) {
      const before = performance.now()
      await ask()
      turns.push(performance.now() - before)
    }
    times[question as Question] = median(turns)
  }
  return times
}

export const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
