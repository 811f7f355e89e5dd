import { Switch } from '@manara/ui/parts/switch'
import { useSignal } from '@preact/signals'
import { api, attempt, notices, reads, route } from '../../here.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { DialogForm } from '../../parts/dialog-form.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useWords } from './words.ts'

export function SaveHunt({ query, onClose }: { query: string; onClose(): void }) {
  const { w } = useWords()
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
    })
  return (
    <Dialog title={w.hunt} onClose={onClose}>
      <DialogForm
        sendLabel={w.save}
        isReady={title.value.trim() !== ''}
        onSend={save}
        onClose={onClose}
      >
        <p class="mono">{query || '*'}</p>
        <TextField label={w.huntTitle} of={title} />
        <TextField label={w.huntWhy} of={why} />
        <Switch
          label={w.huntTeam}
          isOn={isShared.value}
          onSwitch={(isOn) => {
            isShared.value = isOn
          }}
        />
      </DialogForm>
    </Dialog>
  )
}
