import type { ListOf } from '@manara/soc-contract/lists'
import type { Permission } from '@manara/soc-contract/permissions'
import type { User } from '@manara/soc-contract/users'
import { Select } from '@manara/ui/parts/select'
import { useSignal } from '@preact/signals'
import { CheckList } from '../../parts/check-list.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { DialogForm } from '../../parts/dialog-form.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useRead } from '../../parts/use-read.ts'
import { useMakeKey } from './made-key.tsx'
import { nameOfRole } from './roles.ts'
import { useWords } from './words.ts'

const DAY_MS = 86_400_000
const NEW_SERVICE = ''

export function NewKey({ onClose }: { onClose(): void }) {
  const { w, count } = useWords()
  const users = useRead<ListOf<User>>('/users?limit=200')
  const name = useSignal('')
  const owner = useSignal(NEW_SERVICE)
  const scopes = useSignal<Permission[]>([])
  const days = useSignal(90)
  const isMaking = useSignal(false)
  const keyFor = useMakeKey()
  const make = async () => {
    isMaking.value = true
    await keyFor({
      name: name.value,
      ...(owner.value ? { username: owner.value } : {}),
      scopes: scopes.value,
      expiresAt: days.value ? new Date(Date.now() + days.value * DAY_MS) : null,
    })
    isMaking.value = false
    return false
  }
  return (
    // Closed while it is made, the key would be in force and never seen.
    <Dialog title={w.keys.make} {...(isMaking.value ? {} : { onClose })}>
      <DialogForm
        sendLabel={w.keys.make}
        isReady={name.value.trim() !== '' && scopes.value.length > 0}
        onSend={make}
        onClose={() => isMaking.value || onClose()}
      >
        <TextField label={w.keys.name} hint={w.keys.nameHint} of={name} />
        <Select
          label={w.keys.owner}
          hint={w.keys.ownerHint}
          value={owner.value}
          options={[
            { value: NEW_SERVICE, label: w.keys.newService },
            ...(users.data?.items ?? [])
              .filter(({ disabled }) => !disabled)
              .map(({ username, role }) => ({
                value: username,
                label: `${username} (${nameOfRole(role)})`,
              })),
          ]}
          onChoose={(value) => {
            owner.value = value
          }}
        />
        <Select
          label={w.keys.ends}
          value={days.value}
          options={[
            ...[30, 90, 365].map((value) => ({ value, label: count(w.keys.inDays, value) })),
            { value: 0, label: w.keys.endless },
          ]}
          onChoose={(value) => {
            days.value = value
          }}
        />
        <CheckList
          label={w.keys.scopes}
          options={w.keys.scopeNames.map(([value, hint]) => ({ value, label: value, hint }))}
          chosen={scopes.value}
          onChoose={(chosen) => {
            scopes.value = chosen
          }}
        />
      </DialogForm>
    </Dialog>
  )
}
