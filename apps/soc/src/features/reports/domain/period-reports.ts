import { Severity } from '@manara/soc-contract/severity'
import { response, severityChart } from './case-blocks.ts'
import { columnChart } from './charts.ts'
import { type Block, facts, heading, paragraph, table } from './document.ts'
import { MOST, type PeriodMaterial } from './material.ts'
import { clock, seconds } from './moments.ts'

/** For those who decide: how much came, how fast it was dealt with, what is open. */
export function executivePeriod({ numbers, cases, actions }: PeriodMaterial): Block[] {
  const trendTitle = 'New alerts by day'
  const points = numbers.trend.map(({ from, created }) => ({
    label: from.slice(0, 10),
    value: created,
  }))
  return [
    facts(
      ['New alerts', String(numbers.totals.created)],
      ['Resolved', String(numbers.totals.resolved)],
      ['Open now', `${numbers.alerts.open} alerts, ${numbers.cases.open} cases`],
      ['Mean time to acknowledge', took(numbers.mtta_seconds)],
      ['Mean time to resolve', took(numbers.mttr_seconds)],
      ['Waiting for approval', String(numbers.work.pending_approvals)],
    ),
    { kind: 'chart', title: trendTitle, svg: columnChart(trendTitle, points, '#3b82c4') },
    severityChart(numbers.alerts.by_severity),
    heading('Times by severity'),
    table(
      ['Severity', 'To acknowledge', 'To resolve'],
      Severity.options.map((severity) => {
        const { mtta_seconds, mttr_seconds } = numbers.times_by_severity[severity]
        return [severity, took(mtta_seconds), took(mttr_seconds)]
      }),
      '',
    ),
    ...caseTable(cases),
    ...response(actions),
  ]
}

/** For an auditor: every case of the period with its ledger recomputed, and every decision. */
export function compliancePeriod({ numbers, cases, actions }: PeriodMaterial): Block[] {
  const looked = cases.slice(0, MOST.cases)
  const broken = looked.filter(({ ledger }) => !ledger.valid)
  return [
    facts(
      ['Cases looked at', `${looked.length}${cases.length > looked.length ? ', of more' : ''}`],
      ['Ledgers that verify', String(looked.length - broken.length)],
      ['Ledgers that do not', String(broken.length)],
      ['Mean time to acknowledge', took(numbers.mtta_seconds)],
      ['Mean time to resolve', took(numbers.mttr_seconds)],
    ),
    ...caseTable(cases),
    ...response(actions),
  ]
}

function caseTable(cases: PeriodMaterial['cases']): Block[] {
  const cut = `Only the latest ${MOST.cases} are listed, and only their ledgers were recomputed.`
  return [
    heading('Cases'),
    ...(cases.length > MOST.cases ? [paragraph(cut)] : []),
    table(
      ['Opened (UTC)', 'Case', 'Severity', 'Status', 'Ledger'],
      cases
        .slice(0, MOST.cases)
        .map(({ summary, ledger }) => [
          clock(summary.created_at),
          summary.title,
          summary.severity,
          summary.status,
          ledger.valid ? `${ledger.entries} entries, valid` : 'NOT VALID',
        ]),
      'No case was opened.',
    ),
  ]
}

const took = (amount: number | null) => (amount === null ? 'none yet' : seconds(amount))
