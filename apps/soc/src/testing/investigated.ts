import type { Investigation } from '@manara/soc-contract/investigation'
import type { TestSoc } from './test-soc.ts'
import { until } from './until.ts'

/** The investigation when it is over: of one that takes its time, only its id is answered at once. */
export async function investigated(soc: TestSoc, as: string, alert_context: string) {
  const reply = await soc.call('POST', '/agents/investigate', { as, body: { alert_context } })
  if (reply.status !== 202) return reply as { status: number; body: Investigation }
  let read = reply
  await until(`the investigation of ${alert_context} is over`, async () => {
    read = await soc.call('GET', `/agents/investigations/${reply.body.id}`, { as })
    return read.body.status !== 'running'
  })
  return read as { status: number; body: Investigation }
}
