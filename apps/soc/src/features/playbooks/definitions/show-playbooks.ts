import type {
  Execution,
  ExecutionListQuery,
  Playbook,
  PlaybookListQuery,
} from '@manara/soc-contract/playbooks'
import { hasAsked, includesAsked, isAsked, showList } from '../../../showcase/query.ts'

export const showPlaybooks = (playbooks: Playbook[], query: PlaybookListQuery) =>
  showList(playbooks, query, {
    where: ({ enabled, tags }) => isAsked(query.enabled, enabled) && includesAsked(query.tag, tags),
  })

export const showExecutions = (executions: Execution[], query: ExecutionListQuery) =>
  showList(executions, query, {
    where: (one) => hasAsked(one, query, ['status', 'playbook_id', 'alert_id', 'case_id']),
    sortBy: ({ created_at }) => Date.parse(created_at),
  })
