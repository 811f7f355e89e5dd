import type { Progress } from '@manara/player-contract/learners'
import { say } from '../../here.ts'
import { rangeName } from './range-name.ts'
import { words } from './words.ts'

const LATEST = 8

/** What is learnt, in numbers, in a picture of its portions, and in the last grades. */
export function ProgressView({ progress }: { progress: Progress }) {
  const { t, count, number, date } = say.value
  const w = words()
  const { verses, pages, weak, streak, portions, grades } = progress
  if (grades.length === 0) return null
  const facts = [
    [number(verses), w.versesLearnt],
    [number(Math.round(pages * 10) / 10), w.pagesLearnt],
    [number(weak), w.weak],
    [number(streak), w.streak],
  ] as const
  return (
    <section class="stack-close">
      <h2>{w.progress}</h2>
      <dl class="learner-facts">
        {facts.map(([value, label]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {portions.length > 0 && (
        <ul class="portion-strip" aria-label={count(w.portions, portions.length)}>
          {portions.map((portion) => (
            <li
              key={`${portion.surah}:${portion.from}`}
              data-grade={portion.grade}
              style={{ flexGrow: portion.to - portion.from + 1 }}
              title={`${rangeName(portion)}: ${w.grades[portion.grade]}`}
            >
              <span class="hidden">
                {rangeName(portion)}: {w.grades[portion.grade]}
              </span>
            </li>
          ))}
        </ul>
      )}
      <h3>{w.latest}</h3>
      <ul class="plain-list">
        {grades.slice(0, LATEST).map((one) => (
          <li key={`${one.at} ${one.surah}:${one.from}`}>
            <bdi>{rangeName(one)}</bdi> · {w.grades[one.grade]}
            <small>
              {date(one.date, { weekday: 'long', day: 'numeric', month: 'long' })}
              {t.comma}
              {w.by[one.by]}
            </small>
          </li>
        ))}
      </ul>
    </section>
  )
}
