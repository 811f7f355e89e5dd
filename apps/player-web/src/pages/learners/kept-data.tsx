import type { Learner } from '@manara/player-contract/learners'
import { Icon } from '@manara/ui/parts/icon'
import { Sheet } from '@manara/ui/parts/sheet'
import { saveFile } from '@manara/ui/save-file'
import { useSignal } from '@preact/signals'
import { api, attempt, learners, notices, route, say } from '../../here.ts'
import { words } from './words.ts'

/** What is kept about a learner can be taken along, and erased. */
export function KeptData({ learner }: { learner: Learner }) {
  const { t, fill } = say.value
  const w = words()
  const isSure = useSignal(false)

  const download = async () =>
    saveFile(await api.blob(`/hifz/learners/${learner.id}/export`), `learner-${learner.id}.json`)

  async function erase() {
    if (!(await attempt(() => api.remove(`/hifz/learners/${learner.id}`)))) return
    route.go('/learners', 'replace')
    await learners.refresh()
    notices.done(fill(t.removed, { s: learner.name }))
  }

  return (
    <section class="stack-close kept-data">
      <h2>{w.kept}</h2>
      <p class="small">{w.keptWhat}</p>
      <div class="buttons">
        <button type="button" class="button" onClick={() => void attempt(download)}>
          <Icon name="download" />
          {w.export}
        </button>
        <button
          type="button"
          class="button"
          data-look="danger"
          onClick={() => {
            isSure.value = true
          }}
        >
          <Icon name="trash" />
          {w.erase}
        </button>
      </div>
      {isSure.value && (
        <Sheet
          title={fill(w.eraseTitle, { s: learner.name })}
          closeLabel={t.close}
          onClose={() => {
            isSure.value = false
          }}
        >
          <div class="stack">
            <p>{w.eraseWhy}</p>
            <button type="button" class="button" data-look="danger" onClick={() => void erase()}>
              <Icon name="trash" />
              {w.erase}
            </button>
          </div>
        </Sheet>
      )}
    </section>
  )
}
