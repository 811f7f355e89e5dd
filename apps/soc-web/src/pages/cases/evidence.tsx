import type { CaseDetail } from '@manara/soc-contract/cases'
import type { Evidence, LedgerVerdict } from '@manara/soc-contract/evidence'
import type { ListOf } from '@manara/soc-contract/lists'
import { useSignal } from '@preact/signals'
import { api, attempt, now } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { InlineForm } from '../../parts/inline-form.tsx'
import { ReadState } from '../../parts/state.tsx'
import { useCommands } from '../../parts/use-commands.ts'
import { useRead } from '../../parts/use-read.ts'
import { BASE, withQuery } from '../../stores/api.ts'
import { AddEvidence } from './add-evidence.tsx'
import { CustodyDialog } from './custody.tsx'
import { AT_ONCE, countOf, Latest } from './latest.tsx'
import { type Checked, Piece, Verdict } from './piece.tsx'
import { useWords } from './words.ts'

const MOST_FOUND = 200

/** Each piece with the hands it went through, and the chain over all of it, checked when asked. */
export function EvidencePart({ found, mayWrite }: { found: CaseDetail; mayWrite: boolean }) {
  const { w, t, number, count } = useWords()
  const typed = useSignal('')
  /** What is looked for among all of them. */
  const sought = useSignal('')
  const isSought = sought.value !== '' && typed.value.trim() !== ''
  const search = { q: sought.value, limit: MOST_FOUND, order: 'desc', custody: 'count' }
  const matching = useRead<ListOf<Evidence>>(
    isSought ? withQuery(`/cases/${found.id}/evidence`, search) : null,
    { on: ['case'], about: found.id },
  )
  const total = countOf(found, 'evidence')
  const verdict = useSignal<Checked | null>(null)
  const isAdding = useSignal(false)
  const handed = useSignal<Evidence | null>(null)
  const add = () => {
    isAdding.value = true
  }
  useCommands(
    mayWrite ? [{ id: 'evidence', title: w.addEvidence, keys: 'e', group: 'page', run: add }] : [],
  )
  const verify = () =>
    attempt(async () => {
      const verified = await api.get<LedgerVerdict>(`/cases/${found.id}/evidence/verify`)
      verdict.value = { ...verified, at: new Date(now()).toISOString() }
    })
  const list = (pieces: Evidence[]) => (
    <ul class="evidence">
      {pieces.map((piece) => (
        <li key={piece.id}>
          <Piece caseId={found.id} piece={piece}>
            {mayWrite && (
              <Act
                look="plain"
                onClick={() => {
                  handed.value = piece
                }}
              >
                {w.addCustody}
              </Act>
            )}
          </Piece>
        </li>
      ))}
    </ul>
  )
  return (
    <section>
      <h3>
        {w.evidence} <small>{number(total)}</small>
      </h3>
      {total === 0 && <p class="soft">{w.noEvidence}</p>}
      {total > AT_ONCE && (
        <InlineForm
          label={w.findEvidence}
          of={typed}
          addLabel={t.find}
          onAdd={() => {
            sought.value = typed.value.trim()
          }}
        />
      )}
      {isSought ? (
        <ReadState read={matching} rows={3}>
          {({ items, total: all }) => (
            <>
              <p class="soft" role="status">
                {count(w.foundEvidence, all, { shown: number(items.length) })}
              </p>
              {list(items)}
            </>
          )}
        </ReadState>
      ) : (
        <Latest items={found.evidence} total={total}>
          {list}
        </Latest>
      )}
      <div class="acts">
        {mayWrite && (
          <Act keys="e" onClick={add}>
            {w.addEvidence}
          </Act>
        )}
        <Act onClick={() => verify()}>{w.verify}</Act>
        <a class="act" href={`${BASE}/cases/${found.id}/evidence/export`} download>
          {w.exportLedger}
        </a>
      </div>
      {verdict.value && <Verdict verdict={verdict.value} />}
      {isAdding.value && (
        <AddEvidence
          caseId={found.id}
          onClose={() => {
            isAdding.value = false
          }}
        />
      )}
      {handed.value && (
        <CustodyDialog
          caseId={found.id}
          piece={handed.value}
          onClose={() => {
            handed.value = null
          }}
        />
      )}
    </section>
  )
}
