import type { Ioc, IocImportResult } from '@manara/soc-contract/iocs'
import { Empty } from '@manara/ui/parts/empty'
import { useIsHere } from '@manara/ui/use-is-here'
import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { api, attempt, notices, reads, route, session } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { cutAt } from '../../parts/as-seen.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { DialogForm } from '../../parts/dialog-form.tsx'
import { FindField } from '../../parts/find-field.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { quoted } from '../../parts/quoted.ts'
import { RecordsWithPanel } from '../../parts/records-with-panel.tsx'
import { Said } from '../../parts/said.tsx'
import { ReadState } from '../../parts/state.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useQuery } from '../../parts/use-query.ts'
import { useRead } from '../../parts/use-read.ts'
import { Age, Moment } from '../../parts/when.tsx'
import { BASE, evenPreviewed, withQuery } from '../../stores/api.ts'
import { useWords } from './words.ts'

export function Page() {
  const { w, number } = useWords()
  const scoreOf = useScore()
  const query = useQuery()
  const dialog = useSignal<'add' | 'import' | null>(null)
  const { columns } = w
  const close = () => {
    dialog.value = null
  }
  return (
    <>
      <RecordsWithPanel<Ioc>
        above={
          <PageHead title={w.title}>
            <FindField label={w.find} />
            {session.may('iocs:write') && (
              <>
                <Act
                  look="main"
                  onClick={() => {
                    dialog.value = 'add'
                  }}
                >
                  {w.add}
                </Act>
                <Act
                  onClick={() => {
                    dialog.value = 'import'
                  }}
                >
                  {w.import}
                </Act>
              </>
            )}
            <a class="act" href={`${BASE}/iocs/export`} download="indicators.json">
              {w.export}
            </a>
          </PageHead>
        }
        label={w.title}
        path={withQuery('/iocs', { q: query.get('q'), limit: 100 })}
        on={['ioc']}
        empty={<Empty icon="locate" title={w.empty} text={w.emptyText} />}
        columns={[
          {
            name: columns.value,
            cell: ({ value, revoked }) => (
              <>
                <b class="mono">{cutAt(120, value)}</b>
                {revoked && <span class="soft"> {w.isRevoked}</span>}
              </>
            ),
          },
          { name: columns.type, cell: ({ type }) => type },
          {
            name: columns.score,
            isNumber: true,
            cell: scoreOf,
          },
          { name: columns.tlp, cell: ({ tlp }) => `TLP:${tlp.toUpperCase()}` },
          { name: columns.sources, cell: ({ sources }) => sources.join(', ') },
          { name: columns.seen, isNumber: true, cell: ({ sightings }) => number(sightings) },
          {
            name: columns.last,
            isNumber: true,
            cell: ({ last_sighted_at }) => (last_sighted_at ? <Age at={last_sighted_at} /> : '–'),
          },
        ]}
        One={One}
      />
      {dialog.value === 'add' && <Add onClose={close} />}
      {dialog.value === 'import' && <Import onClose={close} />}
    </>
  )
}

/** What is left of it, and what it was. */
function useScore() {
  const { w, fill } = useWords()
  return ({ effective_score: now, score }: Ioc) =>
    now === score ? score : fill(w.faded, { now, score })
}

function One({ id, onClose }: { id: string; onClose(): void }) {
  const { w, t, count } = useWords()
  const scoreOf = useScore()
  const read = useRead<Ioc>(`/iocs/${id}`, { on: ['ioc'] })
  const { type, value } = read.data ?? {}
  const common = useRead<{ hosts: unknown[] | number; days: unknown[] | number }>(
    value ? withQuery('/iocs/prevalence', { type, value }) : null,
  )
  const mayWrite = session.may('iocs:write')
  const sizeOf = (some: unknown[] | number) => (Array.isArray(some) ? some.length : some)
  const setRevoked = (revoked: boolean) =>
    attempt(async () => {
      await api.patch(`/iocs/${id}`, { revoked })
      await reads.renew('/iocs')
      if (revoked) notices.done(w.revoked, { label: t.undo, run: () => void setRevoked(false) })
      else notices.done(w.restored)
    })
  return (
    <Panel label={w.title} onClose={onClose} title={value ?? ''}>
      <ReadState read={read} rows={4}>
        {(ioc) => (
          <>
            {/* Not where Revoke was: a second click there would take it back. */}
            {ioc.revoked && (
              <div class="note stack">
                {w.revoked}
                {mayWrite && (
                  <div class="acts">
                    <Act onClick={() => setRevoked(false)}>{w.restore}</Act>
                  </div>
                )}
              </div>
            )}
            {ioc.description && (
              <p dir="auto">
                <Said text={ioc.description} />
              </p>
            )}
            <dl class="facts">
              <dt>{w.columns.type}</dt>
              <dd>{ioc.type}</dd>
              <dt>{w.columns.score}</dt>
              <dd>{scoreOf(ioc)}</dd>
              {ioc.valid_until && (
                <>
                  <dt>{w.until}</dt>
                  <dd>
                    <Moment at={ioc.valid_until} />
                  </dd>
                </>
              )}
              <dt>{w.columns.sources}</dt>
              <dd>{ioc.sources.join(', ')}</dd>
              <dt>{w.columns.tlp}</dt>
              <dd>{`TLP:${ioc.tlp.toUpperCase()}`}</dd>
              <dt>{w.columns.seen}</dt>
              <dd>
                {ioc.sightings}
                {ioc.last_sighted_at && (
                  <>
                    , <Moment at={ioc.last_sighted_at} />
                  </>
                )}
              </dd>
              {common.data && (
                <>
                  <dt>{w.prevalence}</dt>
                  <dd>
                    {count(w.onHosts, sizeOf(common.data.hosts))}{' '}
                    {count(w.onDays, sizeOf(common.data.days))}
                  </dd>
                </>
              )}
            </dl>
            <div class="acts">
              <a class="act" href={withQuery('/search', { q: quoted(ioc.value), last: 'all' })}>
                {w.search}
              </a>
              {mayWrite && !ioc.revoked && (
                <Act look="danger" onClick={() => setRevoked(true)}>
                  {w.revoke}
                </Act>
              )}
            </div>
          </>
        )}
      </ReadState>
    </Panel>
  )
}

function Add({ onClose }: { onClose(): void }) {
  const { w } = useWords()
  const value = useSignal('')
  const score = useSignal('70')
  const why = useSignal('')
  const save = () =>
    attempt(async () => {
      const { id, revoked } = await api.post<Ioc>('/iocs', {
        ...{ value: value.value, score: Number(score.value || Number.NaN) },
        ...(why.value && { sources: [why.value] }),
      })
      await reads.renew('/iocs')
      const show = { label: w.show, run: () => route.go(`/intel?open=${id}`) }
      notices.done(revoked ? w.stillRevoked : w.saved, show)
    })
  return (
    <Dialog title={w.add} onClose={onClose}>
      <DialogForm
        sendLabel={w.save}
        isReady={value.value.trim() !== ''}
        onSend={save}
        onClose={onClose}
      >
        <TextField label={w.value} hint={w.valueHint} of={value} />
        <TextField label={w.score} of={score} input={{ inputMode: 'numeric' }} />
        <TextField label={w.why} of={why} />
      </DialogForm>
    </Dialog>
  )
}

function Import({ onClose }: { onClose(): void }) {
  const { w, count, fill, number } = useWords()
  const id = useId()
  const result = useSignal<IocImportResult | null>(null)
  const isSending = useSignal(false)
  const isHere = useIsHere()
  const countsOf = (reply: IocImportResult) =>
    [
      count(w.taken, reply.imported),
      count(w.renewed, reply.updated),
      count(w.refused, reply.skipped_count),
    ].join(', ')
  const send = async (file: File) => {
    isSending.value = true
    await attempt(async () => {
      const type = /\.csv$/i.test(file.name) ? 'text/csv' : 'application/json'
      await evenPreviewed(api.upload<IocImportResult>('/iocs/import', file, type), (reply) => {
        result.value = reply
        if (!isHere()) notices.done(fill(w.importedLate, { what: countsOf(reply) }))
      })
      await reads.renew('/iocs')
      if (isHere()) notices.done(w.imported)
    })
    isSending.value = false
  }
  return (
    <Dialog title={w.importTitle} onClose={onClose}>
      <p>{w.importText}</p>
      <div class="field">
        <label for={id}>{w.file}</label>
        <input
          id={id}
          type="file"
          accept=".json,.csv,.stix"
          // One at a time: what is told below is of the file that is named here.
          disabled={isSending.value}
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0]
            if (file) void send(file)
          }}
        />
      </div>
      {result.value && (
        <section role="status">
          <b>{countsOf(result.value)}</b>
          <ul class="import-result">
            {result.value.skipped.map(({ index, reason }) => (
              <li key={index} class="bad">
                {fill(w.entry, { n: index + 1 })}: {reason}
              </li>
            ))}
            {result.value.ignored.map(({ type, count: n, reason }) => (
              <li key={type} class="soft">
                {type} ({number(n)}): {reason}
              </li>
            ))}
          </ul>
        </section>
      )}
    </Dialog>
  )
}
