import type { AuditRecord, AuditVerdict } from '@manara/soc-contract/audit'
import { useSignal } from '@preact/signals'
import { api, attempt } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { Status } from '../../parts/badges.tsx'
import { RecordTable } from '../../parts/record-table.tsx'
import { Age } from '../../parts/when.tsx'
import { useWords } from './words.ts'

export function Audit() {
  const { w, count, fill } = useWords()
  const verdict = useSignal<AuditVerdict | null>(null)
  const verify = () =>
    attempt(async () => {
      verdict.value = await api.get<AuditVerdict>('/audit/verify')
    })
  const broken = verdict.value?.broken_at
  return (
    <div class="admin-list">
      <p class="load-more">
        <Act onClick={() => void verify()}>{w.verify}</Act>
        {verdict.value && (
          <b class={verdict.value.valid ? 'good' : 'bad'} role="status">
            {broken
              ? fill(w.broken, { seq: broken.seq, reason: broken.reason })
              : count(w.whole, verdict.value.sealed)}
          </b>
        )}
      </p>
      <RecordTable<AuditRecord>
        label={w.audit}
        path="/audit?limit=100"
        keyOf={({ id }) => id}
        empty={null}
        columns={[
          { name: w.columns.what, cell: ({ action }) => <b class="mono">{action}</b> },
          { name: w.columns.who, cell: ({ actor }) => actor },
          {
            name: w.columns.target,
            cell: ({ target }) => <span class="mono">{target.slice(0, 80)}</span>,
          },
          { name: w.columns.outcome, cell: ({ outcome }) => <Status value={outcome} /> },
          { name: w.columns.when, isNumber: true, cell: ({ at }) => <Age at={at} /> },
        ]}
      />
    </div>
  )
}
