import type { Correlation, CorrelationEvidence } from '@manara/soc-contract/correlations'
import { alerts } from './alerts.ts'
import { idOf, STATION } from './story.ts'

const evidenceOf = (number: number, role: CorrelationEvidence['role']): CorrelationEvidence[] =>
  alerts
    .filter(({ id }) => id === idOf('alert', number))
    .map(({ id, title, host, first_seen_at }) => ({
      kind: 'alert',
      id,
      subject: id,
      role,
      at: first_seen_at,
      title,
      host,
    }))

const evidence = [...evidenceOf(5, 'other'), ...evidenceOf(6, 'anchor')]
const [signIn, write] = evidence
const first = signIn?.at ?? ''
const last = write?.at ?? ''

export const correlations: Correlation[] = [
  {
    id: idOf('correlation', 1),
    rule_id: null,
    rule_name: 'Unusual write to a controller after an intrusion at its site',
    title: 'Unusual write to a controller after an intrusion at its site on plc-pump-03',
    severity: 'critical',
    why: `The alert “${write?.title}” on plc-pump-03 at ${last} was within 8 hours of alert “${signIn?.title}” at ${first}, at the same site (${STATION}).`,
    site_id: STATION,
    zone: null,
    host: null,
    first_at: first,
    last_at: last,
    evidence,
    evidence_count: evidence.length,
    created_at: last,
    updated_at: last,
  },
]
