import { ReportCreate } from '@manara/soc-contract/reports'
import { sql } from 'kysely'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { isRecordId } from '../../../db/record-id.ts'
import type { AgentWork, Run } from '../queue/agent-work.ts'

const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS

type Asked = Pick<ReportCreate, 'report_type' | 'format'> & { case_id?: string }

export type ReporterDeps = {
  /** Reads what the report is about; stores it when it is called with the change. */
  prepareReport(asked: ReportCreate): Promise<(change: ChangeContext) => Promise<{ id: string }>>
}

/** Writes the report of a case that was resolved, and one of each week in which something happened. */
export function createReporter({ prepareReport }: ReporterDeps): AgentWork {
  return {
    everyMs: DAY_MS,
    jobsOf: ({ event, data }) =>
      event === 'case.updated' && data.status === 'resolved'
        ? [
            {
              key: `case:${data.id}:${data.version}`,
              input: { case_id: data.id },
              priority: 1,
            },
          ]
        : [],
    async run({ input }, run) {
      if (typeof input.case_id === 'string') await ofCase(run, input.case_id)
      else await ofWeek(run)
    },
  }

  async function ofCase(run: Run, caseId: string) {
    const { rows } = await sql`
      SELECT FROM cases WHERE id = ${isRecordId(caseId) ? caseId : null} AND status = 'resolved'
        AND deleted_at IS NULL AND merged_into IS NULL AND NOT EXISTS (SELECT FROM reports
          WHERE case_id = cases.id AND report_type = 'investigation'
            AND reports.created_at > cases.updated_at)`.execute(run.db)
    if (rows.length === 0) return run.say('there is nothing to report')
    await write(run, { report_type: 'investigation', case_id: caseId, format: 'markdown' })
  }

  async function ofWeek(run: Run) {
    const now = run.now()
    if (run.lookedUntil !== undefined && run.lookedUntil > now - WEEK_MS) return
    run.record(async ({ tx }) => {
      await sql`UPDATE agents SET looked_until = ${new Date(now)} WHERE id = 'agent-014'`.execute(
        tx,
      )
    })
    // The first week begins when the agent does.
    if (run.lookedUntil === undefined) return
    const since = new Date(run.lookedUntil)
    const { rows } = await sql<{ happened: boolean }>`
      SELECT EXISTS (SELECT FROM alerts WHERE created_at >= ${since} AND severity_rank > 0)
        OR EXISTS (SELECT FROM cases WHERE created_at >= ${since}) AS happened`.execute(run.db)
    if (!rows[0]?.happened) return
    await write(run, { report_type: 'executive', format: 'markdown' })
  }

  async function write(run: Run, asked: Asked) {
    const store = await prepareReport(ReportCreate.parse(asked))
    run.say(`a report of ${asked.case_id ? `case ${asked.case_id}` : 'the week'}`)
    run.record(async (change) => {
      const { id } = await store(change)
      run.step(`report ${id}`)
    })
  }
}
