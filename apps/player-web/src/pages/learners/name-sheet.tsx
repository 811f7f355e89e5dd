import type { Learner } from '@manara/player-contract/learners'
import { Field } from '@manara/ui/parts/field'
import { Sheet } from '@manara/ui/parts/sheet'
import { useIsHere } from '@manara/ui/use-is-here'
import { useOnce } from '@manara/ui/use-once'
import { useSignal } from '@preact/signals'
import { api, attempt, learners, route, say } from '../../here.ts'
import { Refused } from '../../stores/api.ts'
import { words } from './words.ts'

/** A nickname is all that is asked for. */
export function NameSheet({ learner, onClose }: { learner?: Learner; onClose(): void }) {
  const isHere = useIsHere()
  const { t } = say.value
  const w = words()
  const name = useSignal(learner?.name ?? '')
  const problem = useSignal<string | undefined>(undefined)

  async function save() {
    const body = { name: name.value.trim() }
    if (body.name === '') {
      problem.value = w.nameIt
      return
    }
    await attempt(async () => {
      try {
        const saved = learner
          ? await api.patch<Learner>(`/hifz/learners/${learner.id}`, body)
          : await api.post<Learner>('/hifz/learners', body)
        await learners.refresh()
        if (!isHere()) return
        onClose()
        if (!learner && learners.find(saved.id)) route.go(`/learners/${saved.id}`)
      } catch (error) {
        if (!(error instanceof Refused) || error.field !== 'name') throw error
        problem.value = w.nameTaken
      }
    })
  }

  const { busy, run } = useOnce(save)
  return (
    <Sheet title={learner ? w.rename : w.add} closeLabel={t.close} onClose={onClose}>
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        <Field
          label={w.name}
          value={name.value}
          hint={w.nameHint}
          problem={problem.value}
          onType={(text) => {
            name.value = text
            problem.value = undefined
          }}
          input={{ dir: 'auto', maxLength: 40, autocomplete: 'off', name: 'learner' }}
        />
        <button type="submit" class="button" data-look="main" {...busy}>
          {t.save}
        </button>
      </form>
    </Sheet>
  )
}
