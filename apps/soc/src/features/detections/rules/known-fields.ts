import type { Logger } from '@manara/kit/logging'
import type { LogStore } from '../../../ports/log-store.ts'

const DAY = 86_400_000
const TIME_LIMIT_MS = 500

/** Which of the names events of the last day have; a store that is slow or away knows none. */
export const createKnownFields =
  (deps: { logs: Pick<LogStore, 'fields'>; log: Logger; now(): number }) =>
  async (names: string[]): Promise<string[]> => {
    const selection = { query: { kind: 'all' as const }, time: { from: deps.now() - DAY } }
    try {
      const { fields } = await deps.logs.fields(selection, { timeLimitMs: TIME_LIMIT_MS })
      return fields.map(({ name }) => name).filter((name) => names.includes(name))
    } catch (error) {
      deps.log.warn({ err: error }, 'the fields of stored events could not be read')
      return []
    }
  }
