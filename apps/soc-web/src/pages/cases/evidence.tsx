import type { CaseDetail } from '@manara/soc-contract/cases'
import type { Evidence, LedgerVerdict } from '@manara/soc-contract/evidence'
import { useSignal } from '@preact/signals'
import { api, attempt } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useCommands } from '../../parts/use-commands.ts'
import { BASE } from '../../stores/api.ts'
import { AddEvidence } from './add-evidence.tsx'
import { CustodyDialog } from './custody.tsx'
import { AT_ONCE, Latest } from './latest.tsx'
import { Piece, Verdict } from './piece.tsx'
import { useWords } from './words.ts'

/** Whether a piece is meant by what was typed. */
function isSought(text: string) {
  const wanted = text.trim().toLowerCase()
  return ({ name, evidence_type, sha256, location }: Evidence) =>
    [name, evidence_type, sha256, location].some((one) => one?.toLowerCase().includes(wanted))
}

/** Each piece with the hands it went through, and the chain over all of it, checked when asked. */
export function EvidencePart({ found, mayWrite }: { found: CaseDetail; mayWrite: boolean }) {
  const { w, number } = useWords()
  const sought = useSignal('')
  const verdict = useSignal<LedgerVerdict | null>(null)
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
      verdict.value = await api.get<LedgerVerdict>(`/cases/${found.id}/evidence/verify`)
    })
  return (
    <section>
      <h3>
        {w.evidence} <small>{number(found.evidence.length)}</small>
      </h3>
      {found.evidence.length === 0 && <p class="soft">{w.noEvidence}</p>}
      {found.evidence.length > AT_ONCE && <TextField label={w.findEvidence} of={sought} />}
      <Latest items={found.evidence.filter(isSought(sought.value))}>
        {(pieces) => (
          <ul class="evidence">
            {pieces.map((piece) => (
              <li key={piece.id}>
                <Piece piece={piece}>
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
        )}
      </Latest>
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
