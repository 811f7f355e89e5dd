import type { Evidence, LedgerVerdict } from '@manara/soc-contract/evidence'
import type { ListOf } from '@manara/soc-contract/lists'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { ReadState } from '../../parts/state.tsx'
import { useRead } from '../../parts/use-read.ts'
import { Moment } from '../../parts/when.tsx'
import { withQuery } from '../../stores/api.ts'
import { Asked, AT_ONCE, Latest } from './latest.tsx'
import { useWords } from './words.ts'

type PieceProps = { caseId: string; piece: Evidence; children: ComponentChildren }

/** A piece of evidence; below it the hands that it went through, asked for when it is opened. */
export function Piece({ caseId, piece, children }: PieceProps) {
  const { w } = useWords()
  const isOpen = useSignal(false)
  return (
    <details
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open
      }}
    >
      <summary>
        <b dir="auto">{piece.name}</b> <span class="soft">{piece.evidence_type}</span>
        <code title={piece.sha256}>{piece.sha256.slice(0, 16)}…</code>
      </summary>
      <dl class="facts">
        <dt>SHA-256</dt>
        <dd>
          <code>{piece.sha256}</code>
        </dd>
        {piece.location && (
          <>
            <dt>{w.evidenceLocation}</dt>
            <dd>{piece.location}</dd>
          </>
        )}
        {piece.storage_url && (
          <>
            <dt>{w.storageUrl}</dt>
            <dd class="mono">{piece.storage_url}</dd>
          </>
        )}
      </dl>
      {isOpen.value && <Hands caseId={caseId} piece={piece} />}
      {children}
    </details>
  )
}

/** A piece of a long matter has hundreds of entries: the latest of them first. */
function Hands({ caseId, piece }: Omit<PieceProps, 'children'>) {
  const asked = useSignal(AT_ONCE)
  const isCounted = piece.custody_count !== undefined
  const read = useRead<ListOf<Evidence>>(
    isCounted ? withQuery(`/cases/${caseId}/evidence`, { q: piece.id }) : null,
    { on: ['case'], about: caseId },
  )
  const known = isCounted ? read : { ...read, data: { items: [piece] } }
  return (
    <Asked.Provider value={asked}>
      <ReadState read={known} rows={Math.min(3, piece.custody_count ?? 0)}>
        {({ items }) => {
          const entries = items.find(({ id }) => id === piece.id)?.custody_entries ?? []
          return (
            <Latest items={entries} total={entries.length}>
              {(latest) => <Chain entries={latest} />}
            </Latest>
          )
        }}
      </ReadState>
    </Asked.Provider>
  )
}

function Chain({ entries }: { entries: Evidence['custody_entries'] }) {
  const { w } = useWords()
  return (
    <ol class="chain">
      {entries.map(({ seq, action, actor, timestamp, details, entry_hash, problem }) => (
        <li key={seq}>
          <b>{w.custodyActions[action] ?? action}</b> {actor}, <Moment at={timestamp} />
          {typeof details.to === 'string' && (
            <>
              {' '}
              → <b>{details.to}</b>
            </>
          )}
          {typeof details.notes === 'string' && <p class="custody-notes">{details.notes}</p>}
          {problem && <p class="bad">{problem}</p>}
          <code title={entry_hash}>
            {seq} {entry_hash.slice(0, 12)}
          </code>
        </li>
      ))}
    </ol>
  )
}

export type Checked = LedgerVerdict & { at: string }

/** Whether every hash fitted then, and how far a signature outside the database vouches for it. */
export function Verdict({ verdict }: { verdict: Checked }) {
  const { w, count, fill } = useWords()
  const bad = verdict.first_bad
  return (
    <div class="verdict" role="status">
      <b class={verdict.valid ? 'good' : 'bad'}>
        {bad
          ? fill(w.broken, { seq: bad.seq, reason: bad.reason })
          : count(w.verified, verdict.entries)}
      </b>
      <p class="soft">
        {w.checkedAt} <Moment at={verdict.at} />
      </p>
      {verdict.chains.map(({ case_id, head, entries, signed }) => (
        <p key={case_id} class="soft">
          {signed ? (
            <>
              {fill(w.signedUpTo, { size: signed.size, entries })} <Moment at={signed.at} />
            </>
          ) : (
            w.notSigned
          )}{' '}
          <code title={head}>{head.slice(0, 16)}…</code>
        </p>
      ))}
    </div>
  )
}
