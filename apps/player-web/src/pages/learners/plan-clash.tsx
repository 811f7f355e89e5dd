import type { Plan } from '@manara/player-contract/learners'
import { say } from '../../here.ts'
import { daysText } from '../../parts/days.ts'
import { reciterName, surahName } from '../../parts/names.ts'
import type { PlanPart } from '../../stores/joined-plan.ts'
import type { Clash } from '../../stores/save-plan.ts'
import { words } from './words.ts'

type PlanClashProps = { clash: Clash; mine: Plan; onTakeTheirs(clash: Clash): void }

/** Somebody else has saved this plan meanwhile: what is at stake, as it is in both. */
export function PlanClash({ clash, mine, onTakeTheirs }: PlanClashProps) {
  const w = words()
  const [here, there] = [inWords(mine), inWords(clash.theirs)]
  return (
    <section class="stack-close" role="alert">
      <p>{w.clash.what}</p>
      <dl class="facts">
        {clash.parts.map((part) => (
          <div key={part}>
            <dt>{w[part]}</dt>
            <dd>
              {w.clash.mine} <b>{here[part]}</b>
            </dd>
            <dd>
              {w.clash.theirs} <b>{there[part]}</b>
            </dd>
          </div>
        ))}
      </dl>
      <button type="button" class="button" onClick={() => onTakeTheirs(clash)}>
        {w.clash.take}
      </button>
    </section>
  )
}

function inWords({ order, start, days, drill, ...plan }: Plan): Record<PlanPart, string> {
  const { t, count, number } = say.value
  const w = words()
  return {
    order: w.orders[order],
    start: `${surahName(start.surah)} ${number(start.verse)}`,
    amount: amountText(plan),
    days: daysText(days, t),
    recentDays: count(w.dayCount, plan.recent_days),
    cycleDays: count(w.dayCount, plan.cycle_days),
    reciter: reciterName(plan.reciter),
    repeat: number(drill.repeat ?? 5),
    unsure: drill.unsure ? t.on : t.off,
  }
}

/** How much is new a day. */
export function amountText({ unit, amount }: Pick<Plan, 'unit' | 'amount'>): string {
  const { t, count, exact } = say.value
  if (unit === 'verse') return count(t.now.ayahs, amount)
  return count(words().pages, amount, { n: exact(amount) })
}
