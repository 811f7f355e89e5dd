import type { PendingApproval, StartedExecution } from '@manara/soc-contract/playbooks'
import { api, asked, attempt, notices, reads, route } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { Refused } from '../../stores/api.ts'
import { useWords } from './words.ts'

type Answer = PendingApproval | StartedExecution

/** Runs the copy that was approved: nothing of it is sent, so nothing of it can be another. */
export function RunApproved({ playbookId, id }: { playbookId: string; id: string }) {
  const { w } = useWords()
  const run = () =>
    attempt(async () => {
      try {
        const reply = await api.post<Answer>(
          `/soar/playbooks/${playbookId}/execute?approval_id=${encodeURIComponent(id)}`,
        )
        asked.drop(id)
        if ('execution_id' in reply) {
          const to = `/response/executions?open=${reply.execution_id}`
          notices.done(w.started, { label: w.show, run: () => route.go(to) })
        }
      } catch (error) {
        if (!(error instanceof Refused && error.status === 409)) throw error
        if (/is not decided yet$/.test(error.message)) throw new Error(w.undecided)
        // Rejected, used, expired or of another playbook by now: it will never run.
        asked.drop(id)
        throw error
      } finally {
        await reads.renew('/soar', '/approvals')
      }
    })
  return (
    <Act look="main" onClick={run}>
      {w.runApproved}
    </Act>
  )
}
