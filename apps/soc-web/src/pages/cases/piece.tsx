import type { Evidence, LedgerVerdict } from '@manara/soc-contract/evidence'
import type { ComponentChildren } from 'preact'
import { asSeen } from '../../parts/as-seen.ts'
import { Moment } from '../../parts/when.tsx'
import { useWords } from './words.ts'

/** A piece of evidence; below it the hands that it went through. */
export function Piece({ piece, children }: { piece: Evidence; children: ComponentChildren }) {
  const { w } = useWords()
  return (
    <details>
      <summary>
        <b dir="auto">{asSeen(piece.name)}</b> <span class="soft">{piece.evidence_type}</span>
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
            <dd>{asSeen(piece.location)}</dd>
          </>
        )}
        {piece.storage_url && (
          <>
            <dt>{w.storageUrl}</dt>
            <dd class="mono">{asSeen(piece.storage_url)}</dd>
          </>
        )}
      </dl>
      <ol class="chain">
        {piece.custody_entries.map(({ seq, action, actor, timestamp, details, entry_hash }) => (
          <li key={seq}>
            <b>{w.custodyActions[action] ?? action}</b> {actor}, <Moment at={timestamp} />
            {typeof details.to === 'string' && (
              <>
                {' '}
                → <b>{asSeen(details.to)}</b>
              </>
            )}
            {typeof details.notes === 'string' && (
              <p class="custody-notes">{asSeen(details.notes)}</p>
            )}
            <code title={entry_hash}>
              {seq} {entry_hash.slice(0, 12)}
            </code>
          </li>
        ))}
      </ol>
      {children}
    </details>
  )
}

/** Whether every hash fits, and how far a signature outside the database vouches for it. */
export function Verdict({ verdict }: { verdict: LedgerVerdict }) {
  const { w, count, fill } = useWords()
  const bad = verdict.first_bad
  return (
    <div class="verdict" role="status">
      <b class={verdict.valid ? 'good' : 'bad'}>
        {bad
          ? fill(w.broken, { seq: bad.seq, reason: bad.reason })
          : count(w.verified, verdict.entries)}
      </b>
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
