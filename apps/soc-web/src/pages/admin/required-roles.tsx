import type { SignInPolicy } from '@manara/soc-contract/auth'
import { useSignal } from '@preact/signals'
import { api, attempt, notices, reads } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { CheckList } from '../../parts/check-list.tsx'
import { ReadState } from '../../parts/state.tsx'
import { useRead } from '../../parts/use-read.ts'
import { useProof } from './proof.tsx'
import { nameOfRole, PEOPLE } from './roles.ts'
import { useWords } from './words.ts'

type Roles = SignInPolicy['second_factor_roles']

/** Of which roles a second factor is asked. What is chosen is in force when it is saved. */
export function RequiredRoles() {
  const { w } = useWords()
  const read = useRead<SignInPolicy>('/auth/policy')
  const { withProof, proof } = useProof()
  const chosen = useSignal<Roles | null>(null)
  const save = (roles: Roles) =>
    attempt(async () => {
      const done = await withProof(() => api.put('/auth/policy', { second_factor_roles: roles }))
      if (!done) return
      chosen.value = null
      await reads.renew('/auth/')
      notices.done(w.factor.policySaved)
    })
  return (
    <section>
      <h2>{w.factor.required}</h2>
      <p class="soft">{w.factor.requiredText}</p>
      <ReadState read={read} rows={2}>
        {({ second_factor_roles }) => {
          const shown = chosen.value ?? second_factor_roles
          const isChanged =
            chosen.value !== null &&
            PEOPLE.some((role) => shown.includes(role) !== second_factor_roles.includes(role))
          return (
            <>
              <CheckList
                label={w.factor.requiredOf}
                options={PEOPLE.map((value) => ({ value, label: nameOfRole(value) }))}
                chosen={shown as typeof PEOPLE}
                onChoose={(roles) => {
                  chosen.value = roles
                }}
              />
              <div class="acts">
                <Act look="main" disabled={!isChanged} onClick={() => save(shown)}>
                  {w.save}
                </Act>
              </div>
            </>
          )
        }}
      </ReadState>
      {proof}
    </section>
  )
}
