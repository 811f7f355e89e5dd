import type { ApiKey } from '@manara/soc-contract/users'
import { Empty } from '@manara/ui/parts/empty'
import { useSignal } from '@preact/signals'
import { api, attempt, clock, notices, reads } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { RecordTable } from '../../parts/record-table.tsx'
import { Sure } from '../../parts/sure.tsx'
import { Age, Moment } from '../../parts/when.tsx'
import { MadeKey, madeKey } from './made-key.tsx'
import { NewKey } from './new-key.tsx'
import { useWords } from './words.ts'

export function ApiKeys() {
  const { w, fill } = useWords()
  const isMaking = useSignal(false)
  const asked = useSignal<ApiKey | null>(null)
  const revoke = ({ username, id, name }: ApiKey) =>
    attempt(async () => {
      await api.remove(`/users/${encodeURIComponent(username)}/api-keys/${id}`)
      await reads.renew('/api-keys')
      notices.done(fill(w.keys.revoked, { name }))
    })
  const close = () => {
    isMaking.value = false
  }
  const make = (
    <Act
      look="main"
      onClick={() => {
        isMaking.value = true
      }}
    >
      {w.keys.make}
    </Act>
  )
  return (
    <div class="admin-list">
      <p class="load-more">{make}</p>
      <RecordTable<ApiKey>
        label={w.keys.title}
        path="/api-keys?limit=100"
        keyOf={({ id }) => id}
        empty={<Empty icon="key" title={w.keys.none} text={w.keys.noneText} />}
        columns={[
          {
            name: w.keys.key,
            cell: ({ name, hint }) => (
              <>
                <b>{name}</b> <code class="mono soft">{hint}…</code>
              </>
            ),
          },
          { name: w.keys.owner, cell: ({ username }) => username },
          {
            name: w.keys.scopes,
            cell: ({ scopes }) => <span class="mono">{scopes.join(' ')}</span>,
          },
          { name: w.keys.used, isNumber: true, cell: (key) => <Used at={key.last_used_at} /> },
          { name: w.keys.ends, isNumber: true, cell: (key) => <Ends at={key.expires_at} /> },
          {
            name: w.keys.revoke,
            isNameHidden: true,
            cell: (key) => (
              <Act
                look="plain"
                onClick={() => {
                  asked.value = key
                }}
              >
                {w.keys.revoke}
              </Act>
            ),
          },
        ]}
      />
      {madeKey().key.value ? (
        <MadeKey onClose={close} />
      ) : (
        isMaking.value && <NewKey onClose={close} />
      )}
      {asked.value && (
        <Sure
          title={fill(w.keys.revokeTitle, { name: asked.value.name })}
          text={w.keys.revokeText}
          label={w.keys.revoke}
          onSure={() => asked.value && revoke(asked.value)}
          onClose={() => {
            asked.value = null
          }}
        />
      )}
    </div>
  )

  function Used({ at }: { at: string | null }) {
    return at ? <Age at={at} /> : <span class="soft">{w.keys.never}</span>
  }

  function Ends({ at }: { at: string | null }) {
    if (at === null) return <span class="soft">{w.keys.endless}</span>
    return Date.parse(at) < clock.value ? <b class="bad">{w.keys.over}</b> : <Moment at={at} />
  }
}
