import type { AuditRecord, AuditVerdict } from '@manara/soc-contract/audit'
import { useSignal } from '@preact/signals'
import { api, attempt } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { cutAt } from '../../parts/as-seen.ts'
import { Status } from '../../parts/badges.tsx'
import { kindOf, nameIn, RecordName, ShortId } from '../../parts/record-name.tsx'
import { RecordTable } from '../../parts/record-table.tsx'
import { Said } from '../../parts/said.tsx'
import { isId } from '../../parts/sentence.ts'
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
        <Act onClick={() => verify()}>{w.verify}</Act>
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
          { name: w.columns.who, cell: ({ actor }) => <Said text={actor} /> },
          {
            name: w.columns.target,
            cell: (record) => <Target {...record} />,
          },
          { name: w.columns.outcome, cell: ({ outcome }) => <Status value={outcome} /> },
          { name: w.columns.when, isNumber: true, cell: ({ at }) => <Age at={at} /> },
        ]}
      />
    </div>
  )
}

/** `alert:0199…` by the name that the entry itself holds, as a link where there is a page for it. */
function Target({ action, target, before, after }: AuditRecord) {
  const [, kind = '', id = ''] = /^(\w+):(.+)$/s.exec(target) ?? []
  if (!id) return <>{cutAt(80, target)}</>
  const said = <span class="soft">{kind.replaceAll('_', ' ')}</span>
  // `case.task.add` holds the task, not the case.
  if (kindOf(kind) && action.split('.').length > 2) {
    return (
      <>
        {said} <RecordName {...{ kind, id }} />
      </>
    )
  }
  const name = nameIn(after) ?? nameIn(before)
  const shown = name ?? (isId(id) ? <ShortId id={id} /> : cutAt(80, id))
  const page = kindOf(kind)?.page(id)
  return (
    <>
      {said}{' '}
      {page ? (
        <a class="link" href={page} dir="auto">
          {shown}
        </a>
      ) : (
        shown
      )}
    </>
  )
}
