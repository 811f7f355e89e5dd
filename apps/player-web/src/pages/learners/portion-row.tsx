import { GRADES } from '@manara/player-contract/grades'
import type { LessonPart, PortionToday } from '@manara/player-contract/learners'
import { Icon } from '@manara/ui/parts/icon'
import { useOnce } from '@manara/ui/use-once'
import { useRef } from 'preact/hooks'
import { api, attempt, learners, notices, say } from '../../here.ts'
import { today } from '../../parts/box-clock.ts'
import { Unreachable } from '../../stores/api.ts'
import { requestId } from '../../stores/request-id.ts'
import { rangeName } from './range-name.ts'
import { words } from './words.ts'

type Grade = (typeof GRADES)[number]
type PortionRowProps = { learner: number; part: LessonPart; portion: PortionToday }

/** What is to be recited, to be heard first if wanted, and how it went. */
export function PortionRow({ learner, part, portion }: PortionRowProps) {
  const { fill } = say.value
  const w = words()
  const { surah, from, to, done, grade } = portion
  const name = rangeName(portion)
  const unanswered = useRef<{ wish: string; request: string } | null>(null)

  const play = () =>
    attempt(() => api.post(`/hifz/learners/${learner}/play`, { part, surah, from }))
  async function give(given: Grade) {
    // One whose answer was lost may have been kept: given once more that day, it is the same one.
    const wish = `${today.value} ${given}`
    if (unanswered.current?.wish !== wish) unanswered.current = { wish, request: requestId() }
    const { request } = unanswered.current
    const body = { surah, from, to, grade: given, by: 'teacher', request }
    const post = () => api.post(`/hifz/learners/${learner}/grades`, body)
    if (!(await attempt(() => post().catch(unlessLost(post))))) return
    unanswered.current = null
    notices.done(fill(w.graded, { s: name, g: w.grades[given] }))
    await learners.refresh()
  }

  return (
    <li class="portion">
      <div class="portion-head">
        <b>
          <bdi>{name}</bdi>
        </b>
        <small>
          {done && <Icon name="check" />}
          {grade ? w.grades[grade] : w.ungraded}
        </small>
        <button
          type="button"
          class="button-round"
          aria-label={fill(w.hear, { s: name })}
          onClick={() => void play()}
        >
          <Icon name="play" />
        </button>
      </div>
      <fieldset class="grades">
        <legend class="hidden">{fill(w.how, { s: name })}</legend>
        {GRADES.map((value) => (
          <GradeButton
            key={value}
            grade={value}
            isGiven={done && grade === value}
            onGive={() => give(value)}
          />
        ))}
      </fieldset>
    </li>
  )
}

const unlessLost = (again: () => Promise<unknown>) => (error: unknown) => {
  if (error instanceof Unreachable) return again()
  throw error
}

type GradeButtonProps = { grade: Grade; isGiven: boolean; onGive(): Promise<void> }

/** Grades are kept for good, so that of two quick taps one counts. */
function GradeButton({ grade, isGiven, onGive }: GradeButtonProps) {
  const { busy, run } = useOnce(onGive)
  return (
    <button
      type="button"
      class="button"
      data-grade={grade}
      aria-pressed={isGiven}
      onClick={() => void run()}
      {...busy}
    >
      {words().grades[grade]}
    </button>
  )
}
