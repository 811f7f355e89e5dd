import type { Incomplete, Limits, LogSelection } from '../../ports/log-store.ts'
import { candidates, eachOf, FIRST_COUNTED, prefixes, slices } from './plan.ts'
import type { Weight } from './reader-turns.ts'
import { type Budget, budgetOf, TimeLimitReached } from './readers.ts'
import { timeLimit } from './search.ts'
import type { Segment } from './segments.ts'
import {
  type Binding,
  createBinding,
  fromSegments,
  selectionCondition,
  weightOf,
} from './statement.ts'
import type { Store } from './store.ts'

export type Statement = (binding: Binding, from: (columns: string) => string) => string

/** Adds up over slices, newest first, until the time limit or until `add` wants no more. */
export async function eachSlice(
  store: Store,
  selection: LogSelection,
  limits: Limits | undefined,
  statement: Statement,
  add: (rows: unknown[][]) => unknown,
  budget = budgetOf(limits),
): Promise<Incomplete> {
  try {
    const segments = await candidates(store, selection, limits)
    await eachOf(slices(segments, 'desc', FIRST_COUNTED, budget.taken), async (some) =>
      add(await readFrom(store, selection, some, statement, budget, weightOf(segments, budget))),
    )
    return null
  } catch (error) {
    if (error instanceof TimeLimitReached) return timeLimit(limits)
    throw error
  }
}

/** What cannot be added up is asked of ever longer stretches; the longest that was in time counts. */
export async function longestPrefix(
  store: Store,
  selection: LogSelection,
  limits: Limits | undefined,
  statement: Statement,
  budget = budgetOf(limits),
): Promise<{ rows: unknown[][]; partial: Incomplete }> {
  let rows: unknown[][] = []
  try {
    const segments = await candidates(store, selection, limits)
    for (const some of prefixes(segments, limits)) {
      const weight = weightOf(segments, budget)
      const wholeWeight = weight === 2 ? 3 : weight
      rows = await readFrom(store, selection, some, statement, budget, wholeWeight)
    }
    return { rows, partial: null }
  } catch (error) {
    if (error instanceof TimeLimitReached) return { rows, partial: timeLimit(limits) }
    throw error
  }
}

function readFrom(
  store: Store,
  selection: LogSelection,
  segments: Segment[],
  statement: Statement,
  budget: Budget,
  weight: Weight,
) {
  const binding = createBinding()
  const condition = selectionCondition(selection, binding)
  const sql = statement(binding, (columns) => fromSegments(segments, columns, condition))
  return store.readers.read(sql, binding.values, budget, weight)
}
