import type { Http } from '@manara/kit/http'
import { listOf } from '@manara/soc-contract/lists'
import {
  Proposal,
  ProposalAccept,
  ProposalCreate,
  ProposalListQuery,
  ProposalParams,
  ProposalReject,
  ProposalUndo,
} from '@manara/soc-contract/proposals'
import type { Kysely } from 'kysely'
import type { Changes } from '../../../core/change/operator-change.ts'
import type { Reads } from '../../../core/mode/read-through.ts'
import type { Tables } from '../../../db/tables.ts'
import { requires } from '../../../http/permissions.ts'
import type { LogStore } from '../../../ports/log-store.ts'
import { pageOf } from '../../../showcase/query.ts'
import { acceptProposal, rejectProposal, undoProposal } from './decide-proposal.ts'
import type { ProposalFunctions } from './functions.ts'
import { listProposals, proposalById } from './proposals.store.ts'
import { proposeByHand } from './propose-by-hand.ts'

export type ProposalDeps = {
  db: Kysely<Tables>
  logs: Pick<LogStore, 'search'>
  functions: ProposalFunctions
  /** After a decision: what waited for it may go on. */
  wakeExecutions(): void
} & Pick<Changes, 'operatorChange'> &
  Reads

const tags = ['agents']
const ONE = '/agents/proposals/:proposal_id'

export function proposalRoutes(http: Http, deps: ProposalDeps) {
  const { db, functions, operatorChange, readThrough } = deps

  http.get(
    '/agents/proposals',
    {
      ...requires('agents:read'),
      schema: {
        tags,
        summary: 'List proposals',
        description: 'Those that are open, newest first; `status=all` lists every one.',
        querystring: ProposalListQuery,
        response: { 200: listOf(Proposal) },
      },
    },
    ({ query }) =>
      readThrough(
        () => listProposals(db, query),
        () => pageOf([], query),
      ),
  )

  http.post(
    '/agents/proposals',
    {
      ...requires('investigation:trigger'),
      schema: {
        tags,
        summary: 'Propose something',
        description:
          'As agents do: it names what it rests on, and somebody else decides. All that it cites must exist.',
        body: ProposalCreate,
        response: { 201: Proposal },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 201, (change) =>
        proposeByHand(deps.logs, change, request.body),
      ),
  )

  http.get(
    ONE,
    {
      ...requires('agents:read'),
      schema: {
        tags,
        summary: 'One proposal',
        params: ProposalParams,
        response: { 200: Proposal },
      },
    },
    ({ params }) => readThrough(() => proposalById(db, params.proposal_id)),
  )

  http.post(
    `${ONE}/accept`,
    {
      ...requires('investigation:trigger'),
      schema: {
        tags,
        summary: 'Accept a proposal: it is done',
        description:
          'Exactly what `action` says, once, with an approval that is bound to it. Needs the permission to do the same by hand, and for what acts outside `approvals:manage` too.',
        params: ProposalParams,
        body: ProposalAccept.nullish(),
        response: { 200: Proposal },
      },
    },
    async (request, reply) => {
      const { proposal_id } = request.params
      const proposal = await operatorChange(request, reply, 200, (change) =>
        acceptProposal(functions, change, proposal_id, request.body?.reason ?? null),
      )
      deps.wakeExecutions()
      return proposal
    },
  )

  http.post(
    `${ONE}/reject`,
    {
      ...requires('investigation:trigger'),
      schema: {
        tags,
        summary: 'Reject a proposal, with the reason',
        description:
          'The same is not proposed again for a month. With a `verdict` (needs `detections:write`) the rules behind it learn.',
        params: ProposalParams,
        body: ProposalReject,
        response: { 200: Proposal },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 200, (change) =>
        rejectProposal(functions, change, request.params.proposal_id, request.body),
      ),
  )

  http.post(
    `${ONE}/undo`,
    {
      ...requires('investigation:trigger'),
      schema: {
        tags,
        summary: 'Undo what was decided',
        description:
          'What an accepted proposal did is taken back. A rejected one is open again and what it taught is forgotten.',
        params: ProposalParams,
        body: ProposalUndo.nullish(),
        response: { 200: Proposal },
      },
    },
    async (request, reply) => {
      const { proposal_id } = request.params
      const proposal = await operatorChange(request, reply, 200, (change) =>
        undoProposal(functions, change, proposal_id, request.body?.reason ?? null),
      )
      deps.wakeExecutions()
      return proposal
    },
  )
}
