import { ORDERS } from '@manara/player-contract/grades'
import type { Learner, Plan } from '@manara/player-contract/learners'
import { Choice } from '@manara/ui/parts/choice'
import { Select } from '@manara/ui/parts/select'
import { Sheet } from '@manara/ui/parts/sheet'
import { Stepper } from '@manara/ui/parts/stepper'
import { Switch } from '@manara/ui/parts/switch'
import { useIsHere } from '@manara/ui/use-is-here'
import { useOnce } from '@manara/ui/use-once'
import { useSignal } from '@preact/signals'
import { api, attempt, box, learners, say } from '../../here.ts'
import { DayChoice } from '../../parts/day-choice.tsx'
import { reciterOptions, surahOptions, verseCount } from '../../parts/names.ts'
import { joinedPlan } from '../../stores/joined-plan.ts'
import { type Clash, savePlan } from '../../stores/save-plan.ts'
import { amountText, PlanClash } from './plan-clash.tsx'
import { words } from './words.ts'

/** As most schools begin: from the end of the Quran, three verses a day, the weekend free. */
const usualPlan = (): Plan => ({
  order: 'backward',
  start: { surah: 114, verse: 1 },
  unit: 'verse',
  amount: 3,
  days: 0b001_1111,
  recent_days: 7,
  cycle_days: 30,
  reciter: box.reciters.value?.[0]?.name ?? '',
  drill: { method: 'each', repeat: 5, gap_percent: 100 },
})

export function PlanSheet({ learner, onClose }: { learner: Learner; onClose(): void }) {
  const isHere = useIsHere()
  const { t, number, count } = say.value
  const w = words()
  const before = useSignal(learner.plan)
  const plan = useSignal<Plan>(learner.plan ?? usualPlan())
  const clash = useSignal<Clash | null>(null)
  const change = (part: Partial<Plan>) => {
    plan.value = { ...plan.value, ...part }
  }
  const { order, start, unit, amount, days, recent_days, cycle_days, reciter, drill } = plan.value
  const step = { lessLabel: t.less, moreLabel: t.more }

  async function save() {
    const edited = { learner: learner.id, before: before.value, mine: plan.value }
    const isAsked = await attempt(async () => {
      clash.value = await savePlan({ api, learners }, edited)
    })
    if (!isAsked) return
    if (clash.value) {
      before.value = clash.value.theirs
      plan.value = clash.value.withMine
      return
    }
    if (isHere()) onClose()
    await learners.refresh()
  }

  function takeTheirs({ withMine, withTheirs }: Clash) {
    // What was changed since stays.
    plan.value = joinedPlan(withMine, plan.value, withTheirs)
    clash.value = null
  }

  const { busy, run } = useOnce(save)
  return (
    <Sheet title={w.plan} closeLabel={t.close} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        <Choice
          label={w.order}
          value={order}
          options={ORDERS.map((value) => ({ value, label: w.orders[value] }))}
          onChoose={(value) => change({ order: value })}
        />
        <div class="pair">
          <Select
            label={w.start}
            value={start.surah}
            options={surahOptions()}
            onChoose={(surah) => change({ start: { surah, verse: 1 } })}
          />
          <Select
            label={w.startVerse}
            value={start.verse}
            options={Array.from({ length: verseCount(start.surah) }, (_, index) => ({
              value: index + 1,
              label: number(index + 1),
            }))}
            onChoose={(verse) => change({ start: { ...start, verse } })}
          />
        </div>
        <Choice
          label={w.unit}
          value={unit}
          options={(['verse', 'page'] as const).map((value) => ({
            value,
            label: w.units[value],
          }))}
          onChoose={(value) => change({ unit: value, amount: value === 'verse' ? 3 : 0.5 })}
        />
        <Stepper
          {...step}
          label={w.amount}
          value={amount}
          shown={amountText(plan.value)}
          min={unit === 'verse' ? 1 : 0.25}
          max={unit === 'verse' ? 20 : 3}
          step={unit === 'verse' ? 1 : 0.25}
          onStep={(value) => change({ amount: value })}
        />
        <DayChoice
          label={w.days}
          days={days}
          onChoose={(value) => value > 0 && change({ days: value })}
        />
        <Select
          label={w.reciter}
          value={reciter}
          options={reciterOptions(reciter)}
          onChoose={(name) => change({ reciter: name })}
        />
        <Stepper
          {...step}
          label={w.repeat}
          value={drill.repeat ?? 5}
          shown={number(drill.repeat ?? 5)}
          min={1}
          max={50}
          onStep={(repeat) => change({ drill: { ...drill, repeat } })}
        />
        <details class="details">
          <summary>{w.revision}</summary>
          <div class="stack">
            <Stepper
              {...step}
              label={w.recentDays}
              value={recent_days}
              shown={count(w.dayCount, recent_days)}
              min={3}
              max={30}
              onStep={(value) => change({ recent_days: value })}
            />
            <Stepper
              {...step}
              label={w.cycleDays}
              value={cycle_days}
              shown={count(w.dayCount, cycle_days)}
              min={5}
              max={60}
              step={5}
              onStep={(value) => change({ cycle_days: value })}
            />
            <Switch
              label={w.unsure}
              hint={w.unsureHint}
              isOn={drill.unsure ?? false}
              onSwitch={(unsure) => change({ drill: { ...drill, unsure } })}
            />
          </div>
        </details>
        {reciter === '' && <p role="status">{t.now.nothingOnCard}</p>}
        {clash.value && (
          <PlanClash clash={clash.value} mine={plan.value} onTakeTheirs={takeTheirs} />
        )}
        <button type="submit" class="button" data-look="main" disabled={reciter === ''} {...busy}>
          {clash.value ? w.clash.save : t.save}
        </button>
      </form>
    </Sheet>
  )
}
