import type { Report } from '@manara/soc-contract/reports'
import { Empty } from '@manara/ui/parts/empty'
import { api, attempt, reads, route, session } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { RecordTable } from '../../parts/record-table.tsx'
import { Said } from '../../parts/said.tsx'
import { ReadState } from '../../parts/state.tsx'
import { useLeadTo } from '../../parts/use-lead-to.ts'
import { useRead } from '../../parts/use-read.ts'
import { Age, Moment } from '../../parts/when.tsx'
import { BASE } from '../../stores/api.ts'
import { ReportText } from './report-text.tsx'
import { useWords } from './words.ts'
import './reports.css'

export function Page() {
  const [, , id] = route.path.value.split('/')
  return id ? <One key={id} id={id} /> : <List />
}

function List() {
  const { w } = useWords()
  const { columns } = w
  const leadTo = useLeadTo()
  const write = () =>
    attempt(async () => {
      const written = await api.post<Report>('/reports', {
        report_type: 'executive',
        format: 'markdown',
      })
      await reads.renew('/reports')
      leadTo(`/reports/${written.id}`, w.written)
    })
  return (
    <div>
      <PageHead title={w.title}>
        {session.may('cases:write') && <Act onClick={() => write()}>{w.executive}</Act>}
      </PageHead>
      <RecordTable<Report>
        label={w.title}
        path="/reports?limit=100"
        on={['report']}
        keyOf={({ id }) => id}
        onOpen={({ id }) => route.go(`/reports/${id}`)}
        empty={<Empty icon="book" title={w.empty} text={w.emptyText} />}
        columns={[
          { name: columns.title, cell: ({ title }) => <b dir="auto">{title}</b> },
          { name: columns.type, cell: ({ report_type }) => w.types[report_type] },
          { name: columns.format, cell: ({ format }) => format },
          { name: columns.by, cell: ({ created_by }) => <Said text={created_by} /> },
          { name: columns.when, isNumber: true, cell: ({ created_at }) => <Age at={created_at} /> },
        ]}
      />
    </div>
  )
}

function One({ id }: { id: string }) {
  const { w, fill } = useWords()
  const read = useRead<Report>(`/reports/${id}`)
  return (
    <div>
      <PageHead title={w.title}>
        <a class="link" href="/reports">
          {w.title}
        </a>
        <a class="act" href={`${BASE}/reports/${id}/download`} download>
          {w.download}
        </a>
      </PageHead>
      <ReadState read={read} rows={10}>
        {(report) => (
          <article class="report">
            <h2 dir="auto">{report.title}</h2>
            <p class="soft">
              <Said text={report.created_by} />, <Moment at={report.created_at} />, {w.hash}{' '}
              <code class="mono">{report.sha256.slice(0, 24)}…</code>
            </p>
            {report.format === 'markdown' ? (
              report.content && <ReportText text={report.content} />
            ) : (
              <p class="note">{fill(w.elsewhere, { format: report.format.toUpperCase() })}</p>
            )}
          </article>
        )}
      </ReadState>
    </div>
  )
}
