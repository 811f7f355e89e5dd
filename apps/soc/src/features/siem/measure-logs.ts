import { AppError } from '@manara/kit/errors'
import type { Meter } from '../../core/metrics/meter.ts'
import type { Limits, LogSelection, LogStore } from '../../ports/log-store.ts'

type Outcome = 'ok' | 'partial' | 'refused' | 'cancelled' | 'failed'

/** The same store, with every call counted and timed: searches above all. */
export function measureLogs(logs: LogStore, meter: Meter): LogStore {
  const calls = meter.counter(
    'soc_log_store_calls_total',
    'Calls of the log store, by kind and by how they ended',
    ['call', 'outcome'],
  )
  const seconds = meter.seconds(
    'soc_log_store_call_duration_seconds',
    'How long calls of the log store took, by kind; scans wait for their reader and are left out',
    ['call'],
  )

  function measured<Args extends unknown[], T>(call: string, run: (...args: Args) => Promise<T>) {
    return async (...args: Args): Promise<T> => {
      const end = seconds.startTimer({ call })
      try {
        const answer = await run(...args)
        calls.inc({ call, outcome: isPartial(answer) ? 'partial' : 'ok' })
        return answer
      } catch (error) {
        calls.inc({ call, outcome: outcomeOf(error) })
        throw error
      } finally {
        end()
      }
    }
  }

  async function* scan(selection: LogSelection, limits?: Limits) {
    // A reader that stops early has what it wanted.
    let outcome: Outcome = 'ok'
    try {
      yield* logs.scan(selection, limits)
    } catch (error) {
      outcome = outcomeOf(error)
      throw error
    } finally {
      calls.inc({ call: 'scan', outcome })
    }
  }

  return {
    ...logs,
    append: measured('append', logs.append),
    ...(logs.appendPacked ? { appendPacked: measured('append', logs.appendPacked) } : {}),
    search: measured('search', logs.search),
    byId: measured('by_id', logs.byId),
    byIds: measured('by_id', logs.byIds),
    scan,
    histogram: measured('histogram', logs.histogram),
    fields: measured('fields', logs.fields),
    topValues: measured('top_values', logs.topValues),
    aggregate: measured('aggregate', logs.aggregate),
    sources: measured('sources', logs.sources),
  }
}

const isPartial = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'partial' in answer && answer.partial !== null

function outcomeOf(error: unknown): Outcome {
  if (error instanceof AppError) return error.status < 500 ? 'refused' : 'failed'
  return error instanceof Error && error.name === 'AbortError' ? 'cancelled' : 'failed'
}
