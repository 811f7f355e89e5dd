import type { DetectionRule } from '@manara/soc-contract/detections'
import { ReadState } from '../../parts/state.tsx'
import { useQuery } from '../../parts/use-query.ts'
import { useRead } from '../../parts/use-read.ts'
import { Head } from './head.tsx'
import { RuleEditor } from './rule-editor.tsx'

export function RulePage({ id }: { id: string }) {
  const query = useQuery()
  const isNew = id === 'new'
  const read = useRead<DetectionRule>(isNew ? null : `/detections/rules/${id}`)
  const draft = { name: '', query: query.get('query'), alert_severity: 'medium' } as const
  return (
    <div class="rules">
      <Head current={isNew ? '/rules/new' : `/rules/${id}`} />
      {isNew ? (
        <RuleEditor key={draft.query} rule={draft} />
      ) : (
        <ReadState read={read} rows={8}>
          {(rule) => <RuleEditor rule={rule} />}
        </ReadState>
      )}
    </div>
  )
}
