import type { LessonPart, PortionToday, Progress } from '@manara/player-contract/learners'
import { Empty } from '@manara/ui/parts/empty'
import { Icon } from '@manara/ui/parts/icon'
import { useSignal, useSignalEffect } from '@preact/signals'
import { access, api, box, keepAsking, learners, reasons, say } from '../../here.ts'
import { KeptData } from './kept-data.tsx'
import { NameSheet } from './name-sheet.tsx'
import { PlanSheet } from './plan-sheet.tsx'
import { PortionRow } from './portion-row.tsx'
import { ProgressView } from './progress.tsx'
import { words } from './words.ts'

/** One learner: what is due today, how it went, and what is learnt. */
export function LearnerPage({ id }: { id: number }) {
  const { t } = say.value
  const w = words()
  const open = useSignal<'name' | 'plan' | null>(null)
  const progress = useSignal<Progress | null>(null)
  useSignalEffect(() => {
    box.hifzChanged.value
    if (!access.token.value) return undefined
    return keepAsking(async () => {
      progress.value = await api.get<Progress>(`/hifz/learners/${id}/progress`)
    })
  })
  const learner = learners.find(id)
  const close = () => {
    open.value = null
  }
  const back = (
    <a class="back" href="/learners">
      <span class="turns">
        <Icon name="chevron" />
      </span>
      {w.title}
    </a>
  )
  if (!learner) {
    return (
      <div class="page">
        {back}
        <h1>{w.title}</h1>
        {learners.list.value !== null && <p role="alert">{t.errors.gone}</p>}
      </div>
    )
  }
  const { plan, today } = learner
  return (
    <div class="page">
      {back}
      <div class="page-head">
        <h1>
          <bdi>{learner.name}</bdi>
        </h1>
        <div class="buttons">
          <button
            type="button"
            class="button-round"
            aria-label={w.rename}
            onClick={() => {
              open.value = 'name'
            }}
          >
            <Icon name="edit" />
          </button>
          <button
            type="button"
            class="button"
            data-look={plan ? undefined : 'main'}
            onClick={() => {
              open.value = 'plan'
            }}
          >
            <Icon name="calendar" />
            {w.plan}
          </button>
        </div>
      </div>
      {!plan && <Empty icon="calendar" title={w.noPlan} text={w.noPlanWhy} />}
      {plan && !today && <p role="status">{w.noDate}</p>}
      {today?.day_off && <p class="hint">{w.dayOff}</p>}
      {today && !today.day_off && (
        <>
          <Part id={id} part="new" portions={today.new ? [today.new] : []} note={today.note} />
          <Part id={id} part="recent" portions={today.recent} />
          <Part id={id} part="old" portions={today.old} />
        </>
      )}
      {progress.value && <ProgressView progress={progress.value} />}
      <KeptData learner={learner} />
      {open.value === 'name' && <NameSheet learner={learner} onClose={close} />}
      {open.value === 'plan' && <PlanSheet learner={learner} onClose={close} />}
    </div>
  )
}

type PartProps = { id: number; part: LessonPart; portions: PortionToday[]; note?: string }

function Part({ id, part, portions, note }: PartProps) {
  const w = words()
  if (portions.length === 0 && !note) return null
  return (
    <section class="stack-close">
      <h2>{w.parts[part]}</h2>
      {portions.length === 0 ? (
        <p class="small">{reasons.meaning(note ?? '')}</p>
      ) : (
        <ul class="rows">
          {portions.map((portion) => (
            <PortionRow
              key={`${portion.surah}:${portion.from}`}
              learner={id}
              part={part}
              portion={portion}
            />
          ))}
        </ul>
      )}
    </section>
  )
}
