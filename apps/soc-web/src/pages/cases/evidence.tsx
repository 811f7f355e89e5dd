import type { CaseDetail } from '@manara/soc-contract/cases'
import type { LedgerVerdict } from '@manara/soc-contract/evidence'
import { useSignal } from '@preact/signals'
import { api, attempt } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { Moment } from '../../parts/when.tsx'
import { BASE } from '../../stores/api.ts'
import { useWords } from './words.ts'

/** Each piece with the hands it went through, and the chain over all of it, checked when asked. */
export function EvidencePart({ found }: { found: CaseDetail }) {
  const { w, count, fill } = useWords()
  const verdict = useSignal<LedgerVerdict | null>(null)
  const verify = () =>
    attempt(async () => {
      verdict.value = await api.get<LedgerVerdict>(`/cases/${found.id}/evidence/verify`)
    })
  const bad = verdict.value?.first_bad
  return (
    <section>
      <h3>{w.evidence}</h3>
      {found.evidence.length === 0 && <p class="soft">{w.noEvidence}</p>}
      <ul class="evidence">
        {found.evidence.map((piece) => (
          <li key={piece.id}>
            <details>
              <summary>
                <b>{piece.name}</b> <span class="soft">{piece.evidence_type}</span>
                <code>{piece.sha256.slice(0, 16)}…</code>
              </summary>
              <ol class="chain">
                {piece.custody_entries.map((entry) => (
                  <li key={entry.seq}>
                    <b>{entry.action}</b> {entry.actor}, <Moment at={entry.timestamp} />
                    <code title={entry.entry_hash}>
                      {entry.seq} {entry.entry_hash.slice(0, 12)}
                    </code>
                  </li>
                ))}
              </ol>
            </details>
          </li>
        ))}
      </ul>
      <div class="acts">
        <Act onClick={() => void verify()}>{w.verify}</Act>
        <a class="act" href={`${BASE}/cases/${found.id}/evidence/export`} download>
          {w.exportLedger}
        </a>
      </div>
      {verdict.value && (
        <p class={verdict.value.valid ? 'good' : 'bad'} role="status">
          {bad
            ? fill(w.broken, { seq: bad.seq, reason: bad.reason })
            : count(w.verified, verdict.value.entries)}
        </p>
      )}
    </section>
  )
}
