import type { Case, CaseDetail } from '@manara/soc-contract/cases'
import { useSignal } from '@preact/signals'
import { api, attempt, notices, reads } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { SEVERITIES, Severity } from '../../parts/badges.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { DialogForm } from '../../parts/dialog-form.tsx'
import { RecordName } from '../../parts/record-name.tsx'
import { RecordSelect } from '../../parts/record-select.tsx'
import { useWords } from './words.ts'

/** Both cases as they are, and what they become: then it is done. */
export function Merge({ into, onClose }: { into: CaseDetail; onClose(): void }) {
  const { w, count } = useWords()
  const chosen = useSignal<Case | null>(null)
  const other = chosen.value
  const merge = () =>
    attempt(async () => {
      await api.post(`/cases/${into.id}/merge?latest=1`, { case_ids: [other?.id] })
      await reads.renew('/cases', '/alerts')
      notices.done(w.merged)
    })
  return (
    <Dialog title={w.merge} onClose={onClose}>
      <DialogForm sendLabel={w.mergeDo} isReady={other !== null} onSend={merge} onClose={onClose}>
        <RecordSelect<Case>
          label={w.mergeWhich}
          api="/cases"
          value={other}
          isOffered={(one) => one.id !== into.id && one.merged_into === null}
          onPick={(item) => {
            chosen.value = item
          }}
        />
        {other && (
          <div class="before-after">
            <section>
              <h3>{w.mergeBefore}</h3>
              {[into, other].map((one) => (
                <p key={one.id}>
                  <Severity value={one.severity} /> <bdi>{one.title}</bdi>,{' '}
                  {count(w.alerts, one.alert_ids.length)}
                </p>
              ))}
            </section>
            <section>
              <h3>{w.mergeAfter}</h3>
              <p>
                <Severity
                  value={
                    SEVERITIES.find((name) => name === into.severity || name === other.severity) ??
                    into.severity
                  }
                />{' '}
                <bdi>{into.title}</bdi>,{' '}
                {count(w.alerts, new Set([...into.alert_ids, ...other.alert_ids]).size)}
              </p>
            </section>
          </div>
        )}
        <p class="soft">{w.mergeText}</p>
      </DialogForm>
    </Dialog>
  )
}

/** The cases that are part of this one, each with the way back. */
export function Parts({ found, mayWrite }: { found: CaseDetail; mayWrite: boolean }) {
  const { w } = useWords()
  if (found.merged_case_ids.length === 0) return null
  const unmerge = (id: string) =>
    attempt(async () => {
      await api.post(`/cases/${found.id}/unmerge?latest=1`, { case_ids: [id] })
      await reads.renew('/cases', '/alerts')
      notices.done(w.unmerged)
    })
  return (
    <section>
      <h3>{w.parts}</h3>
      <ul>
        {found.merged_case_ids.map((id) => (
          <li key={id}>
            <RecordName kind="case" id={id} />{' '}
            {mayWrite && (
              <Act look="plain" onClick={() => unmerge(id)}>
                {w.unmerge}
              </Act>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
