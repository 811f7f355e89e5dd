import type { Case } from '@manara/soc-contract/cases'
import type { ListOf } from '@manara/soc-contract/lists'
import { Choice } from '@manara/ui/parts/choice'
import { Empty } from '@manara/ui/parts/empty'
import { useSignal } from '@preact/signals'
import { api, attempt, notices, route, session } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { SEVERITIES, Severity } from '../../parts/badges.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { DialogForm } from '../../parts/dialog-form.tsx'
import { FindField } from '../../parts/find-field.tsx'
import { NoneFound } from '../../parts/none-found.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { RecordTable } from '../../parts/record-table.tsx'
import { ReadState } from '../../parts/state.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useCommands } from '../../parts/use-commands.ts'
import { useQuery } from '../../parts/use-query.ts'
import { useRead } from '../../parts/use-read.ts'
import { Age } from '../../parts/when.tsx'
import { withQuery } from '../../stores/api.ts'
import { useWords } from './words.ts'

const ON_BOARD = ['open', 'investigating', 'pending_approval', 'on_hold', 'resolved'] as const

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
    { id: 'board', title: w.board, group: 'page', run: () => query.set({ as: null }) },
    { id: 'list', title: w.list, group: 'page', run: () => query.set({ as: 'list' }) },
  ])
  return (
    <div class="cases">
      <PageHead title={w.title}>
        <FindField label={w.filter} />
        <Act look={shows === 'board' ? 'main' : 'line'} onClick={() => query.set({ as: null })}>
          {w.board}
        </Act>
        <Act look={shows === 'list' ? 'main' : 'line'} onClick={() => query.set({ as: 'list' })}>
          {w.list}
        </Act>
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

function Board({ q }: { q: string }) {
  const { w, count, t } = useWords()
  const read = useRead<ListOf<Case>>(withQuery('/cases', { q, limit: 200, sort: 'updated_at' }), {
    on: ['case'],
  })
  return (
    <ReadState read={read} rows={6}>
      {({ items }) => {
        const standing = items.filter(({ merged_into }) => merged_into === null)
        if (standing.length === 0) return q ? <NoneFound /> : <NoCases />
        return (
          <div class="board">
            {ON_BOARD.map((status) => {
              const some = standing.filter((one) => one.status === status)
              return (
                <section key={status} aria-label={w.statuses[status] ?? status}>
                  <h2>
                    {w.statuses[status]} <small>{some.length}</small>
                  </h2>
                  {some.map((one) => (
                    <a class="case-card" key={one.id} href={`/cases/${one.id}`}>
                      <Severity value={one.severity} />
                      <b dir="auto">{one.title}</b>
                      <span class="soft">
                        {count(w.alerts, one.alert_ids.length)}, {one.assignee ?? t.nobody},{' '}
                        <Age at={one.updated_at} />
                      </span>
                    </a>
                  ))}
                </section>
              )
            })}
          </div>
        )
      }}
    </ReadState>
  )
}

function AsList({ q }: { q: string }) {
  const { w, t } = useWords()
  const { columns } = w
  return (
    <RecordTable<Case>
      label={w.title}
      path={withQuery('/cases', { q, limit: 100 })}
      on={['case']}
      keyOf={({ id }) => id}
      onOpen={({ id }) => route.go(`/cases/${id}`)}
      empty={<NoCases />}
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
  const create = () =>
    attempt(async () => {
      const { id } = await api.post<Case>('/cases', {
        ...{ title: title.value, severity: severity.value },
        ...(description.value && { description: description.value }),
      })
      notices.done(w.created)
      route.go(`/cases/${id}`)
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
