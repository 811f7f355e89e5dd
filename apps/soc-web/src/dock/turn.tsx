import { Act } from '../parts/act.tsx'
import type { Turn } from '../stores/chat.ts'
import { Answer } from './answer.tsx'
import { Preview } from './preview.tsx'
import { useWords } from './words.ts'

type TurnProps = {
  turn: Turn
  hasModel: boolean
  onAgain(): void
  onProposed(index: number, proposalId: string): void
}

/** A question and what was answered: what was read for it, the answer, and how it ended. */
export function TurnView({ turn, hasModel, onAgain, onProposed }: TurnProps) {
  const { w, fill, count } = useWords()
  const { state, steps, answer, problem, answeredBy } = turn
  const last = steps.at(-1)
  return (
    <article class="turn">
      <h3 class="hidden">{w.you}</h3>
      <p class="turn-question" dir="auto">
        {turn.question}
      </p>
      {turn.isBegunAnew && hasModel && <p class="soft">{w.begunAnew}</p>}
      {state === 'answering' && (
        <p class="soft turn-reading" role="status">
          {fill(w.reading, { name: last ? (w.tools[last.name] ?? last.name) : '…' })}
        </p>
      )}
      {problem && answeredBy !== null && (
        <p class="soft">{fill(w.modelFailed, { why: problem })}</p>
      )}
      {answer && (
        <div class="turn-answer" dir="auto">
          <Answer text={answer} />
        </div>
      )}
      {turn.previews.map((preview, index) => (
        <Preview
          key={index}
          preview={preview}
          onProposed={(proposalId) => onProposed(index, proposalId)}
        />
      ))}
      {state === 'failed' && (
        <div class="turn-failed" role="alert">
          <p>{problem ?? w.failed}</p>
          <Act onClick={onAgain}>{w.again}</Act>
        </div>
      )}
      {state === 'stopped' && <p class="soft">{w.stopped}</p>}
      {state === 'done' && (
        <details class="turn-facts">
          <summary>
            {answeredBy === 'built-in' || answeredBy === null
              ? w.byBuiltIn
              : fill(w.by, { model: answeredBy })}
            {steps.length > 0 && `, ${count(w.readFor, steps.length)}`}
          </summary>
          <ul>
            {steps.map(({ id, name, isRefused }) => (
              <li key={id}>
                {w.tools[name] ?? name} {isRefused && <span class="bad">{w.refusedStep}</span>}
              </li>
            ))}
          </ul>
        </details>
      )}
    </article>
  )
}
