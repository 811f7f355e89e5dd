import type { LearnerToday } from '@manara/player-contract/learners'
import { Empty } from '@manara/ui/parts/empty'
import { Icon } from '@manara/ui/parts/icon'
import { useSignal, useSignalEffect } from '@preact/signals'
import { access, attempt, box, keepAsking, learners, route, say } from '../../here.ts'
import { useSearch } from '../../parts/use-search.tsx'
import { LearnerPage } from './learner.tsx'
import { NameSheet } from './name-sheet.tsx'
import { rangeName } from './range-name.ts'
import { words } from './words.ts'

/** `/learners`, and `/learners/<id>`. */
export function Page() {
  const [, , id] = route.path.value.split('/')
  useSignalEffect(() => {
    box.hifzChanged.value
    return access.token.value ? keepAsking(learners.load) : undefined
  })
  const isLocked = learners.list.value === null && !access.token.value
  return id && !isLocked ? <LearnerPage key={id} id={Number(id)} /> : <Learners />
}

function Learners() {
  const w = words()
  const isAdding = useSignal(false)
  const list = learners.list.value
  const { found, field } = useSearch(list ?? [], ({ name }) => name)
  const add = () => {
    isAdding.value = true
  }
  return (
    <div class="page">
      <div class="page-head">
        <h1>{w.title}</h1>
        {list !== null && (
          <button type="button" class="button" data-look="main" onClick={add}>
            <Icon name="plus" />
            {w.add}
          </button>
        )}
      </div>
      {list === null ? (
        access.token.value ? (
          <div class="ghost page-ghost" aria-busy="true" />
        ) : (
          <Empty icon="key" title={w.locked} text={w.lockedWhy}>
            <button
              type="button"
              class="button"
              onClick={() => void attempt(() => learners.load())}
            >
              {w.show}
            </button>
          </Empty>
        )
      ) : list.length === 0 ? (
        <Empty icon="learners" title={w.empty} text={w.emptyWhy} />
      ) : (
        <>
          {field}
          <ul class="rows">
            {found.map((learner) => (
              <LearnerRow key={learner.id} learner={learner} />
            ))}
          </ul>
        </>
      )}
      {isAdding.value && (
        <NameSheet
          onClose={() => {
            isAdding.value = false
          }}
        />
      )}
    </div>
  )
}

function LearnerRow({ learner }: { learner: LearnerToday }) {
  const { id, name } = learner
  return (
    <li>
      <a class="row" href={`/learners/${id}`}>
        <span class="learner-letter" aria-hidden="true">
          {[...name][0]}
        </span>
        <span class="row-text">
          <b>
            <bdi>{name}</bdi>
          </b>
          <small>{dueText(learner)}</small>
        </span>
        {learner.today?.done && !learner.today.day_off && (
          <span class="row-end">
            <Icon name="check" />
          </span>
        )}
        <span class="row-end turns">
          <Icon name="chevron" />
        </span>
      </a>
    </li>
  )
}

/** What is due today, in one line. */
function dueText({ plan, today }: LearnerToday): string {
  const { t, count } = say.value
  const w = words()
  if (!plan) return w.noPlan
  if (!today) return w.noDate
  if (today.day_off) return w.dayOff
  if (today.done) return w.doneToday
  const left = [...today.recent, ...today.old].filter(({ done }) => !done).length
  const parts = [
    today.new && !today.new.done ? rangeName(today.new) : '',
    left > 0 ? count(w.toRevise, left) : '',
  ]
  return parts.filter(Boolean).join(t.comma)
}
