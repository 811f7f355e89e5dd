import type { Case } from '@manara/soc-contract/cases'
import type { ListOf } from '@manara/soc-contract/lists'
import { Choice } from '@manara/ui/parts/choice'
import { Empty } from '@manara/ui/parts/empty'
import { useSignal } from '@preact/signals'
import { api, attempt, route, session } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { SEVERITIES, Severity } from '../../parts/badges.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { DialogForm } from '../../parts/dialog-form.tsx'
import { FindField } from '../../parts/find-field.tsx'
import { NoneFound } from '../../parts/none-found.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Pick } from '../../parts/pick.tsx'
import { RecordTable } from '../../parts/record-table.tsx'
import { ReadState } from '../../parts/state.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useCommands } from '../../parts/use-commands.ts'
import { useLeadTo } from '../../parts/use-lead-to.ts'
import { useQuery } from '../../parts/use-query.ts'
import { useRead } from '../../parts/use-read.ts'
import { Age } from '../../parts/when.tsx'
import { withQuery } from '../../stores/api.ts'
import { useWords } from './words.ts'

const ON_BOARD = ['open', 'investigating', 'pending_approval', 'on_hold', 'resolved'] as const
const STATUSES = [...ON_BOARD, 'closed'] as const
/** What is open to everybody but the service: all that still wants work. */
const UNRESOLVED = 'unresolved'
const askedOf = (status: string) =>
  status === UNRESOLVED ? STATUSES.slice(0, -2).join(',') : status

/** Whose columns are the statuses. */
const AS_BOARD = { as: null, status: null }

export function CaseList() {
  const { w } = useWords()
  const query = useQuery()
  const isOpening = useSignal(false)
  const shows = query.get('as') || 'board'
  const q = query.get('q')
  const mayWrite = session.may('cases:write')
  const open = () => {
    isOpening.value = true
  }
  useCommands([
    ...(mayWrite ? [{ id: 'open-case', title: w.open, keys: 'c', group: 'page', run: open }] : []),
    { id: 'board', title: w.board, group: 'page', run: () => query.set(AS_BOARD) },
    { id: 'list', title: w.list, group: 'page', run: () => query.set({ as: 'list' }) },
  ])
  return (
    <div class="cases">
      <PageHead title={w.title}>
        <FindField label={w.filter} />
        <Act look={shows === 'board' ? 'main' : 'line'} onClick={() => query.set(AS_BOARD)}>
          {w.board}
        </Act>
        <Act look={shows === 'list' ? 'main' : 'line'} onClick={() => query.set({ as: 'list' })}>
          {w.list}
        </Act>
        {shows === 'list' && (
          <Pick
            label={w.columns.status}
            value={query.get('status')}
            options={[
              { value: '', label: w.anyStatus },
              ...[UNRESOLVED, ...STATUSES].map((value) => ({
                ...{ value, label: w.statuses[value] ?? value },
              })),
            ]}
            onPick={(status) => query.set({ status })}
          />
        )}
        {mayWrite && (
          <Act keys="c" onClick={open}>
            {w.open}
          </Act>
        )}
      </PageHead>
      {shows === 'list' ? <AsList q={q} /> : <Board q={q} />}
      {isOpening.value && (
        <OpenCase
          onClose={() => {
            isOpening.value = false
          }}
        />
      )}
    </div>
  )
}

function NoCases() {
  const { w } = useWords()
  return (
    <Empty icon="folder" title={w.emptyTitle} text={w.emptyText}>
      <a class="button" href="/alerts">
        {w.toAlerts}
      </a>
    </Empty>
  )
}

const MOST = 200

/** One read is enough for most; where there are more cases each column has one of its own. */
function Board({ q }: { q: string }) {
  const read = useRead<ListOf<Case>>(withQuery('/cases', { q, limit: MOST, sort: 'updated_at' }), {
    on: ['case'],
  })
  return (
    <ReadState read={read} rows={6}>
      {({ items, total }) => {
        if (total === 0) return q ? <NoneFound /> : <NoCases />
        const closed = items.filter(({ status }) => status === 'closed').length
        return (
          <>
            <div class="board">
              {ON_BOARD.map((status) =>
                total > items.length ? (
                  <ReadColumn key={status} {...{ q, status }} />
                ) : (
                  <Column
                    key={status}
                    status={status}
                    items={items.filter((one) => one.status === status)}
                  />
                ),
              )}
            </div>
            <p class="board-rest">
              {total > items.length ? <Closed q={q} /> : <ToList of="closed" n={closed} />}
            </p>
          </>
        )
      }}
    </ReadState>
  )
}

type Status = (typeof ON_BOARD)[number]

/** Every so often, since six reads for each event would be too many. */
const EVERY_MS = 30_000

function ReadColumn({ q, status }: { q: string; status: Status }) {
  const path = withQuery('/cases', { q, status, limit: MOST, sort: 'updated_at' })
  const read = useRead<ListOf<Case>>(path, { everyMs: EVERY_MS })
  return (
    <ReadState read={read} rows={4}>
      {({ items, total }) => <Column {...{ status, items, total }} />}
    </ReadState>
  )
}

function Closed({ q }: { q: string }) {
  const path = withQuery('/cases', { q, status: 'closed', limit: 1 })
  const { data } = useRead<ListOf<Case>>(path, { everyMs: EVERY_MS })
  return <ToList of="closed" n={data?.total ?? 0} />
}

type ColumnProps = { status: Status; items: Case[]; total?: number }

function Column({ status, items, total = items.length }: ColumnProps) {
  const { w, count, t } = useWords()
  return (
    <section aria-label={w.statuses[status] ?? status}>
      <h2>
        {w.statuses[status]} <small>{total}</small>
      </h2>
      {items.map((one) => (
        <a class="case-card" key={one.id} href={`/cases/${one.id}`}>
          <Severity value={one.severity} />
          <b dir="auto">{one.title}</b>
          <span class="soft">
            {count(w.alerts, one.alert_ids.length)}, {one.assignee ?? t.nobody},{' '}
            <Age at={one.updated_at} />
          </span>
        </a>
      ))}
      {total > items.length && <ToList of={status} n={total} />}
    </section>
  )
}

/** All of one status, in the list. */
function ToList({ of, n }: { of: string; n: number }) {
  const { w, count } = useWords()
  const q = useQuery().get('q')
  if (n === 0) return null
  return (
    <a class="link" href={withQuery('/cases', { as: 'list', status: of, q })}>
      {count(w.inList, n, { status: w.statuses[of] ?? of })}
    </a>
  )
}

function AsList({ q }: { q: string }) {
  const { w, t, fill } = useWords()
  const { columns } = w
  const status = useQuery().get('status')
  return (
    <RecordTable<Case>
      label={w.title}
      path={withQuery('/cases', { q, status: askedOf(status), limit: 100 })}
      on={['case']}
      keyOf={({ id }) => id}
      onOpen={({ id }) => route.go(`/cases/${id}`)}
      empty={
        status ? (
          <p class="note">{fill(w.noneOfStatus, { status: w.statuses[status] ?? status })}</p>
        ) : (
          <NoCases />
        )
      }
      columns={[
        { name: columns.case, cell: ({ title }) => <b dir="auto">{title}</b> },
        { name: columns.severity, cell: ({ severity }) => <Severity value={severity} /> },
        { name: columns.status, cell: ({ status }) => w.statuses[status] },
        { name: columns.owner, cell: ({ assignee }) => assignee ?? t.nobody },
        { name: columns.alerts, isNumber: true, cell: ({ alert_ids }) => alert_ids.length },
        {
          name: columns.changed,
          isNumber: true,
          cell: ({ updated_at }) => <Age at={updated_at} />,
        },
      ]}
    />
  )
}

function OpenCase({ onClose }: { onClose(): void }) {
  const { w, t } = useWords()
  const title = useSignal('')
  const severity = useSignal<(typeof SEVERITIES)[number]>('medium')
  const description = useSignal('')
  const leadTo = useLeadTo()
  const create = () =>
    attempt(async () => {
      const { id } = await api.post<Case>('/cases', {
        ...{ title: title.value, severity: severity.value },
        ...(description.value && { description: description.value }),
      })
      leadTo(`/cases/${id}`, w.created)
    })
  return (
    <Dialog title={w.newCase} onClose={onClose}>
      <DialogForm
        sendLabel={w.create}
        isReady={title.value.trim() !== ''}
        onSend={create}
        onClose={onClose}
      >
        <TextField label={w.caseTitle} of={title} />
        <Choice
          label={w.severity}
          value={severity.value}
          options={SEVERITIES.map((value) => ({ value, label: t.severity[value] }))}
          onChoose={(value) => {
            severity.value = value
          }}
        />
        <TextField label={w.description} of={description} />
      </DialogForm>
    </Dialog>
  )
}
