import type { Severity as SeverityName } from '@manara/soc-contract/severity'
import { say } from '../here.ts'

export const SEVERITIES: SeverityName[] = ['critical', 'high', 'medium', 'low', 'info']

/** Shape, colour and word: none of them alone. */
export const Severity = ({ value }: { value: string }) => (
  <span class={`sev ${value}`}>
    <i />
    <b>{say.value.t.severity[value as SeverityName] ?? value}</b>
  </span>
)

/** The shape alone, where the word stands beside it. */
export const Dot = ({ value }: { value: string }) => (
  <i class={`dot ${value}`} role="img" aria-label={value} />
)

export const Status = ({ value }: { value: string }) => (
  <span class="state" data-status={value}>
    {say.value.t.status[value] ?? value.replaceAll('_', ' ')}
  </span>
)
