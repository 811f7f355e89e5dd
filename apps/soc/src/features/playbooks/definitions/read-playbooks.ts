import type { ListOf } from '@manara/soc-contract/lists'
import type {
  Execution,
  ExecutionListQuery,
  Playbook,
  PlaybookListQuery,
} from '@manara/soc-contract/playbooks'
import type { Kysely } from 'kysely'
import type { Reads } from '../../../core/mode/read-through.ts'
import type { Tables } from '../../../db/tables.ts'
import { showOne } from '../../../showcase/query.ts'
import { executionById, listExecutions } from '../executions/executions.store.ts'
import { toPlaybook } from './playbook-record.ts'
import { listPlaybooks, playbookById } from './playbooks.store.ts'
import { showExecutions, showPlaybooks } from './show-playbooks.ts'

/** What both /soar and /playbooks show. */
export type ReadPlaybooks = {
  playbooks(query: PlaybookListQuery): Promise<ListOf<Playbook>>
  playbook(id: string): Promise<Playbook>
  executions(query: ExecutionListQuery): Promise<ListOf<Execution>>
  execution(id: string): Promise<Execution>
}

export function createReadPlaybooks(
  db: Kysely<Tables>,
  readThrough: Reads['readThrough'],
): ReadPlaybooks {
  return {
    playbooks: (query) =>
      readThrough(
        () => listPlaybooks(db, query),
        ({ playbooks }) => showPlaybooks(playbooks, query),
      ),
    playbook: (id) =>
      readThrough(
        async () => toPlaybook(await playbookById(db, id)),
        ({ playbooks }) => showOne('playbook', playbooks, id),
      ),
    executions: (query) =>
      readThrough(
        () => listExecutions(db, query),
        ({ executions }) => showExecutions(executions, query),
      ),
    execution: (id) =>
      readThrough(
        () => executionById(db, id),
        ({ executions }) => showOne('execution', executions, id),
      ),
  }
}
