import type { CaseDetail } from '@manara/soc-contract/cases'
import { useSignal } from '@preact/signals'
import { api, attempt, reads } from '../../here.ts'
import { InlineForm } from '../../parts/inline-form.tsx'
import { Pick } from '../../parts/pick.tsx'
import { quoted } from '../../parts/quoted.ts'
import { withQuery } from '../../stores/api.ts'
import { takeSent } from '../../stores/unsent.ts'
import { countOf, Latest } from './latest.tsx'
import { useWords } from './words.ts'

const TYPES = ['ip', 'domain', 'url', 'hash', 'host', 'user', 'email', 'file', 'other']

export function Observables({ found, mayWrite }: { found: CaseDetail; mayWrite: boolean }) {
  const { w } = useWords()
  const type = useSignal('ip')
  const value = useSignal('')
  const add = () =>
    attempt(async () => {
      const sent = value.value
      await api.post(`/cases/${found.id}/observables`, { type: type.value, value: sent })
      takeSent(value, sent)
      await reads.renew(`/cases/${found.id}`)
    })
  return (
    <section>
      <h3>{w.observables}</h3>
      {found.observables.length === 0 && <p class="soft">{w.noObservables}</p>}
      <Latest items={found.observables} total={countOf(found, 'observables')}>
        {(observables) => (
          <ul class="observables">
            {observables.map((one) => (
              <li key={one.id}>
                <span class="chip">{one.type}</span>
                <a
                  class="link mono"
                  href={withQuery('/search', { q: quoted(one.value), last: '30d' })}
                >
                  {one.value}
                </a>
              </li>
            ))}
          </ul>
        )}
      </Latest>
      {mayWrite && (
        <InlineForm label={w.observableValue} of={value} addLabel={w.add} onAdd={add}>
          <Pick
            label={w.observableType}
            value={type.value}
            options={TYPES.map((name) => ({ value: name, label: name }))}
            onPick={(picked) => {
              type.value = picked
            }}
          />
        </InlineForm>
      )}
    </section>
  )
}
