import type { PlaybookStep } from '@manara/soc-contract/playbooks'
import { Values } from '../../parts/what-is-done.tsx'
import { ActionName } from './action-name.tsx'
import { OnlyIf } from './only-if.tsx'
import { useWords } from './words.ts'

/** What is run, in its order, and what becomes of it when something fails. */
export const Steps = ({ of }: { of: readonly PlaybookStep[] }) => (
  <ol class="steps">
    {of.map((step) => (
      <li key={step.id}>
        <ActionName of={step.action} /> {step.when && <OnlyIf text={step.when} />}
        <Values of={step.params} />
        <WhenItFails step={step} />
      </li>
    ))}
  </ol>
)

function WhenItFails({ step: { on_failure, retries, undo } }: { step: PlaybookStep }) {
  const { w, count } = useWords()
  return (
    <>
      {(retries > 0 || on_failure !== 'stop') && (
        <p class="soft">
          {retries > 0 && count(w.retried, retries)} {w.onFailure[on_failure]}
        </p>
      )}
      {undo === 'none' && <p class="soft">{w.noUndo}</p>}
      {undo !== null && undo !== 'none' && (
        <div>
          <span class="soft">{w.undo}</span> <ActionName of={undo.action} />
          <Values of={undo.params} />
        </div>
      )}
    </>
  )
}
