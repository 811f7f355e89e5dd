import { notFound } from '@manara/kit/errors'
import type {
  Execution,
  ExecutionListQuery,
  Playbook,
  PlaybookListQuery,
} from '@manara/soc-contract/playbooks'
import { pageOf } from '../../../showcase/page-of.ts'

/** The lists as they would come from the database, over the showcase. */

export function showPlaybooks(playbooks: Playbook[], { enabled, tag, ...page }: PlaybookListQuery) {
  const shown = playbooks
    .filter((playbook) => enabled === undefined || String(playbook.enabled) === enabled)
    .filter((playbook) => tag === undefined || playbook.tags.includes(tag))
  return pageOf(shown, page)
}

export function showExecutions(executions: Execution[], query: ExecutionListQuery) {
  const direction = query.order === 'asc' ? 1 : -1
  const shown = executions
    .filter((execution) =>
      (['status', 'playbook_id', 'alert_id', 'case_id'] as const).every(
        (name) => query[name] === undefined || execution[name] === query[name],
      ),
    )
    .sort((a, b) => direction * (Date.parse(a.created_at) - Date.parse(b.created_at)))
  return pageOf(shown, query)
}

export function showOne<Shown extends { id: string }>(
  what: string,
  records: Shown[],
  id: string,
): Shown {
  const record = records.find((one) => one.id === id)
  if (!record) throw notFound(what, id)
  return record
}
