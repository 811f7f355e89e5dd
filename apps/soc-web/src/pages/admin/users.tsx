import type { User } from '@manara/soc-contract/users'
import { Select } from '@manara/ui/parts/select'
import { useSignal } from '@preact/signals'
import { api, attempt, notices, reads } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { RecordTable } from '../../parts/record-table.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { Age } from '../../parts/when.tsx'
import { nameOfRole, PEOPLE } from './roles.ts'
import { useWords } from './words.ts'

const ROLES = [...PEOPLE.slice(0, -1), 'service', 'admin']

export function Users() {
  const { w } = useWords()
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
  const lock = (user: User) =>
    attempt(async () => {
      await api.patch(`/users/${user.username}`, { disabled: !user.disabled })
      await reads.renew('/users')
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
                <Act look="plain" onClick={() => lock(user)}>
                  {user.disabled ? w.enable : w.disable}
                </Act>
              </>
            ),
          },
          { name: w.columns.when, isNumber: true, cell: (user) => <Age at={user.created_at} /> },
        ]}
      />
    </div>
  )
}
