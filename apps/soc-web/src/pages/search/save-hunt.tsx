import { Field } from '@manara/ui/parts/field'
import { Switch } from '@manara/ui/parts/switch'
import { useSignal } from '@preact/signals'
import { api, attempt, notices, reads, route } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { useWords } from './words.ts'

export function SaveHunt({ query, onClose }: { query: string; onClose(): void }) {
  const { w, t } = useWords()
  const title = useSignal('')
  const why = useSignal('')
  const isShared = useSignal(false)
  const save = () =>
    attempt(async () => {
      await api.post('/siem/hunts', {
        ...{ title: title.value, description: why.value, query },
        sharing_mode: isShared.value ? 'team' : 'private',
      })
      await reads.renew('/siem/hunts')
      notices.done(w.saved, { label: w.show, run: () => route.go('/hunts') })
      onClose()
    })
  return (
    <Dialog title={w.hunt} onClose={onClose}>
      <p class="mono">{query || '*'}</p>
      <Field
        label={w.huntTitle}
        value={title.value}
        onType={(value) => {
          title.value = value
        }}
      />
      <Field
        label={w.huntWhy}
        value={why.value}
        onType={(value) => {
          why.value = value
        }}
      />
      <Switch
        label={w.huntTeam}
        isOn={isShared.value}
        onSwitch={(isOn) => {
          isShared.value = isOn
        }}
      />
      <div class="acts">
        <Act look="main" onClick={() => void save()}>
          {w.save}
        </Act>
        <Act onClick={onClose}>{t.cancel}</Act>
      </div>
    </Dialog>
  )
}
