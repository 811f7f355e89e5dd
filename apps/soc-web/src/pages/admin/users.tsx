import type { User } from '@manara/soc-contract/users'
import { Select } from '@manara/ui/parts/select'
import { useSignal } from '@preact/signals'
import { api, attempt, notices, reads } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { RecordTable } from '../../parts/record-table.tsx'
import { Sure } from '../../parts/sure.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { Age } from '../../parts/when.tsx'
import { nameOfRole, PEOPLE } from './roles.ts'
import { useWords } from './words.ts'

const ROLES = [...PEOPLE.slice(0, -1), 'service', 'admin']

export function Users() {
  const { w, fill } = useWords()
  const username = useSignal('')
  const password = useSignal('')
  const role = useSignal('analyst')
  const add = () =>
    attempt(async () => {
      await api.post('/users', {
        username: username.value,
        password: password.value,
        role: role.value,
      })
      ;[username.value, password.value] = ['', '']
      await reads.renew('/users')
      notices.done(w.created)
    })
  const asked = useSignal<User | null>(null)
  const setDisabled = (name: string, disabled: boolean) =>
    attempt(async () => {
      await api.patch(`/users/${encodeURIComponent(name)}`, { disabled })
      await reads.renew('/users')
      notices.done(fill(disabled ? w.locking.done : w.unlocking.done, { name }))
    })
  return (
    <div class="admin-list">
      <div class="add-user">
        <TextField label={w.username} of={username} input={{ autocomplete: 'off' }} />
        <TextField
          label={w.password}
          of={password}
          input={{ type: 'password', autocomplete: 'new-password' }}
        />
        <Select
          label={w.role}
          value={role.value}
          options={ROLES.map((value) => ({ value, label: nameOfRole(value) }))}
          onChoose={(value) => {
            role.value = value
          }}
        />
        <Act look="main" onClick={() => add()}>
          {w.addUser}
        </Act>
      </div>
      <RecordTable<User>
        label={w.users}
        path="/users?limit=100"
        keyOf={({ username: name }) => name}
        empty={null}
        columns={[
          {
            name: w.columns.user,
            cell: (user) => (
              <>
                <b>{user.username}</b> <span class="soft">{user.full_name}</span>
              </>
            ),
          },
          { name: w.columns.role, cell: (user) => nameOfRole(user.role) },
          {
            name: w.columns.state,
            cell: (user) => (
              <>
                {user.disabled ? <b class="bad">{w.disabled}</b> : w.active}{' '}
                {/* Asked first: its contrary takes its place, and would be met by the second click of two. */}
                <Act
                  look="plain"
                  onClick={() => {
                    asked.value = user
                  }}
                >
                  {user.disabled ? w.enable : w.disable}
                </Act>
              </>
            ),
          },
          { name: w.columns.when, isNumber: true, cell: (user) => <Age at={user.created_at} /> },
        ]}
      />
      {asked.value && <Lock user={asked.value} />}
    </div>
  )

  /** What is asked is what is done, whatever became of the row meanwhile. */
  function Lock({ user: { username: name, disabled } }: { user: User }) {
    const said = disabled ? w.unlocking : w.locking
    return (
      <Sure
        title={fill(said.title, { name })}
        text={said.text}
        label={disabled ? w.enable : w.disable}
        onSure={() => setDisabled(name, !disabled)}
        onClose={() => {
          asked.value = null
        }}
      />
    )
  }
}
