import type { DetectionMetrics, DetectionRule } from '@manara/soc-contract/detections'
import { Empty } from '@manara/ui/parts/empty'
import { route } from '../../here.ts'
import { Severity } from '../../parts/badges.tsx'
import { FindField } from '../../parts/find-field.tsx'
import { RecordTable } from '../../parts/record-table.tsx'
import { useQuery } from '../../parts/use-query.ts'
import { useRead } from '../../parts/use-read.ts'
import { Age } from '../../parts/when.tsx'
import { withQuery } from '../../stores/api.ts'
import { Head } from './head.tsx'
import { useWords } from './words.ts'

export function RuleList() {
  const { w, count, number } = useWords()
  const query = useQuery()
  const { columns } = w
  const metrics = useRead<DetectionMetrics>('/detections/metrics', { on: ['rule', 'rule_run'] })
  return (
    <div class="rules">
      <Head current="/rules" />
      <div class="rules-bar">
        <FindField label={w.find} />
        {metrics.data && (
          <p>
            {count(w.total, metrics.data.total_rules)},{' '}
            <b class={metrics.data.rules_without_data > 0 ? 'bad' : undefined}>
              {count(w.noData, metrics.data.rules_without_data)}
            </b>
            , {count(w.matches, metrics.data.matches_24h)}
          </p>
        )}
      </div>
      <RecordTable<DetectionRule>
        label={w.title}
        path={withQuery('/detections/rules', { q: query.get('q'), limit: 100 })}
        on={['rule']}
        keyOf={({ id }) => id}
        onOpen={({ id }) => route.go(`/rules/${id}`)}
        empty={
          <Empty icon="shield" title={w.emptyTitle} text={w.emptyText}>
            <a class="button" href="/search">
              {w.toSearch}
            </a>
          </Empty>
        }
        columns={[
          { name: columns.rule, cell: ({ name }) => <b>{name}</b> },
          {
            name: columns.severity,
            cell: ({ alert_severity }) => <Severity value={alert_severity} />,
          },
          { name: columns.kind, cell: ({ kind }) => w.kinds[kind] },
          {
            name: columns.techniques,
            cell: ({ mitre_techniques }) => (
              <span class="mono soft">{mitre_techniques.slice(0, 3).join(' ')}</span>
            ),
          },
          { name: columns.health, cell: (rule) => <Health rule={rule} /> },
          {
            name: columns.events,
            isNumber: true,
            cell: ({ source_events }) => (source_events === null ? '–' : number(source_events)),
          },
          {
            name: columns.run,
            isNumber: true,
            cell: ({ last_run_at }) => (last_run_at ? <Age at={last_run_at} /> : '–'),
          },
        ]}
      />
    </div>
  )
}

/** "Never fired" and "never had data" are different things to say. */
function Health({ rule }: { rule: DetectionRule }) {
  const { w, count } = useWords()
  if (!rule.enabled) return <span class="soft">{w.off}</span>
  if (rule.source_events === null) return <span class="soft">{w.unknownSource}</span>
  if (rule.source_events === 0) return <span class="bad">{w.neverData}</span>
  if (rule.capped_at) return <span class="bad">{count(w.capped, rule.unrecorded_hits)}</span>
  return <span class="good">{w.neverFired}</span>
}
