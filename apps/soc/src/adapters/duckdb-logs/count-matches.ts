import type { SearchRequest } from '../../ports/log-store.ts'
import { asksOnlyForKeys } from '../key-questions.ts'
import { keyCounts } from './count-keys.ts'
import { eachOf, FIRST_COUNTED, slices } from './plan.ts'
import { type Budget, TimeLimitReached } from './readers.ts'
import type { Segment } from './segments.ts'
import { createBinding, fromSegments, selectionCondition, weightOf } from './statement.ts'
import type { Store } from './store.ts'

type Counted = { total: number; most: number; isExact: boolean; isOutOfTime: boolean }

/**
 * How many events match: `known` of them were read anyhow, the others are in these segments. Counts
 * up to `countUpTo`, or all with `countEvents`, which rollups then may not read more than.
 */
export async function countMatches(
  store: Store,
  request: SearchRequest,
  segments: Segment[],
  known: number,
  budget: Budget,
): Promise<Counted> {
  const { countUpTo, countEvents } = request
  const most = countEvents === undefined ? countUpTo : Number.POSITIVE_INFINITY
  let total = known
  let isWhole = true
  try {
    if (asksOnlyForKeys(request.query)) await countKeys()
    else await countRead()
  } catch (error) {
    if (!(error instanceof TimeLimitReached)) throw error
    return { total: Math.min(total, most), most, isExact: false, isOutOfTime: true }
  }
  const isExact = isWhole && total <= most
  return { total: Math.min(total, most), most, isExact, isOutOfTime: false }

  /** Rollups know of all segments, also of those that were read. */
  async function countKeys() {
    const counts = keyCounts(store, request, undefined, () => 'count')
    total = 0
    const add = (_at: number, _name: string, count: number) => {
      total += count
    }
    counts.addKnown(add)
    isWhole = total > most || counts.events <= (countEvents ?? Number.POSITIVE_INFINITY)
    if (isWhole && total <= most) await counts.addRead(add, budget)
  }

  async function countRead() {
    if (total > most) return
    await eachOf(slices(segments, 'desc', FIRST_COUNTED, budget.taken), async (some) => {
      const more = await countIn(some)
      total += more
      return total <= most
    })
  }

  async function countIn(some: Segment[]): Promise<number> {
    const binding = createBinding()
    const condition = selectionCondition(request, binding)
    const [row] = await store.readers.read(
      `SELECT count(*) FROM (${fromSegments(some, 'at_ms', condition)})`,
      binding.values,
      budget,
      weightOf(segments, budget),
    )
    return Number(row?.[0])
  }
}
