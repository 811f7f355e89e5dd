import type { FactorsOfUsers } from '@manara/soc-contract/auth'
import { useSignal } from '@preact/signals'
import { api, attempt, notices, reads, session } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { RecordTable } from '../../parts/record-table.tsx'
import { Sure } from '../../parts/sure.tsx'
import { useProof } from './proof.tsx'
import { nameOfRole } from './roles.ts'
import { useWords } from './words.ts'

const PATH = '/auth/second-factors/users'
type Person = FactorsOfUsers['items'][number]

const hasAny = ({ totp, passkeys }: Person) => totp || passkeys > 0

export function FactorsOfPeople() {
  const { w, count, fill } = useWords()
  const { withProof, proof } = useProof()
  const asked = useSignal('')
  const reset = (username: string) =>
    attempt(async () => {
      const done = await withProof(() => api.remove(`/users/${username}/second-factors`))
      if (!done) return
      await reads.renew(PATH)
      notices.done(fill(w.factor.wasReset, { name: username }))
    })
  return (
    <section>
      <h2>{w.factor.people}</h2>
      <RecordTable<Person>
        label={w.factor.people}
        path={`${PATH}?limit=100`}
        keyOf={({ username }) => username}
        empty={null}
        columns={[
          { name: w.columns.user, cell: ({ username }) => <b>{username}</b> },
          { name: w.columns.role, cell: ({ role }) => nameOfRole(role) },
          {
            name: w.factor.has,
            cell: (person) => <Has person={person} />,
          },
          {
            name: w.factor.codes,
            isNumber: true,
            cell: (person) => (hasAny(person) ? person.recovery_codes_left : ''),
          },
          {
            name: w.factor.reset,
            isNameHidden: true,
            cell: (person) =>
              hasAny(person) && person.username !== session.me.value?.username ? (
                <Act
                  look="plain"
                  onClick={() => {
                    asked.value = person.username
                  }}
                >
                  {w.factor.reset}
                </Act>
              ) : null,
          },
        ]}
      />
      {asked.value && (
        <Sure
          title={fill(w.factor.resetTitle, { name: asked.value })}
          text={w.factor.resetText}
          label={w.factor.reset}
          onSure={() => {
            const username = asked.value
            // A proof may be asked for next.
            asked.value = ''
            return reset(username)
          }}
          onClose={() => {
            asked.value = ''
          }}
        />
      )}
      {proof}
    </section>
  )

  function Has({ person }: { person: Person }) {
    if (person.signs_in_at_provider) return <span class="soft">{w.factor.atProvider}</span>
    if (!hasAny(person)) {
      return person.is_required ? (
        <b class="bad">{w.factor.missing}</b>
      ) : (
        <span class="soft">{w.factor.hasNone}</span>
      )
    }
    const parts = [
      ...(person.totp ? [w.factor.app] : []),
      ...(person.passkeys > 0 ? [count(w.factor.passkeys, person.passkeys)] : []),
    ]
    return <>{parts.join(', ')}</>
  }
}
