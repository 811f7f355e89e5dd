import type { Alert } from '@manara/soc-contract/alerts'
import { GridCell, GridHead, GridRow } from '@manara/ui/parts/grid'
import { memo } from 'preact/compat'
import { cutAt } from '../../parts/as-seen.ts'
import { Severity, Status } from '../../parts/badges.tsx'
import { Age } from '../../parts/when.tsx'

type AlertRowProps = {
  index: number
  alert: Alert | undefined
  isFocused: boolean
  isMarked: boolean
}

/** Longer texts would only cost time: what is cut off is in the panel. */
const LONGEST = 300

export const AlertRow = memo(({ index, alert, isFocused, isMarked }: AlertRowProps) => {
  if (!alert) {
    return <GridRow class="row row-alert row-blank" aria-rowindex={index + 2} />
  }
  return (
    <GridRow
      class="row row-alert"
      id={`row-${index}`}
      data-index={index}
      data-focus={isFocused}
      data-status={alert.status}
      aria-rowindex={index + 2}
      aria-selected={isMarked}
    >
      <GridCell class="tick">
        <i />
      </GridCell>
      <GridCell>
        <Severity value={alert.severity} />
      </GridCell>
      <GridCell class="alert-title" dir="auto">
        {cutAt(LONGEST, alert.title)}
        {alert.occurrence_count > 1 && <em class="times">×{alert.occurrence_count}</em>}
      </GridCell>
      <GridCell class="mono" dir="auto">
        {alert.host ?? '–'}
      </GridCell>
      <GridCell class="mono soft">{alert.mitre_techniques[0] ?? ''}</GridCell>
      <GridCell class="soft" dir="auto">
        {alert.source}
      </GridCell>
      <GridCell>
        <Status value={alert.status} />
      </GridCell>
      <GridCell class="soft" dir="auto">
        {alert.assignee ?? '–'}
      </GridCell>
      <GridCell>
        <Age at={alert.created_at} />
      </GridCell>
    </GridRow>
  )
})

export const AlertRowHead = ({ columns }: { columns: string[] }) => (
  <GridRow class="row row-alert row-head" aria-rowindex={1}>
    {columns.map((name, at) => (
      <GridHead key={name}>{at === 0 ? <span class="hidden">{name}</span> : name}</GridHead>
    ))}
  </GridRow>
)
