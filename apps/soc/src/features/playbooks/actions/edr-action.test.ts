import assert from 'node:assert/strict'
import { test } from 'node:test'
import { edrAction } from './edr-action.ts'

const BEGAN = Date.parse('2026-01-01T00:00:00Z')
const ENDPOINT = '01a1ec04-d53f-7227-af01-7ee67a6fe290'

function isolateAt(seconds: number) {
  const action = edrAction(
    'isolate',
    {
      requestEndpointAction: () => assert.fail(),
      readEndpointAction: async () => ({ action_id: 'a', status: 'queued', simulated: false }),
    },
    () => new Date(BEGAN + seconds * 1_000),
  )
  return action.effect === 'waits' ? action : assert.fail()
}

test('the way back is to the machine that was reached, whatever it is called by then', () => {
  const back = isolateAt(0).undo?.({ endpoint: 'fin-ws-07', wait_s: 600 } as never, {
    has_effect: true,
    endpoint_id: ENDPOINT,
  })
  assert.deepEqual(back, { action: 'edr_unisolate', params: { endpoint: ENDPOINT, wait_s: 600 } })
})

test('the longer it has waited, the later it looks again, and at the end of its time', async () => {
  const patience = new Date(BEGAN + 3_600_000).toISOString()
  for (const [waited, gap] of [
    [0, 1],
    [8, 1],
    [80, 10],
    [1_200, 60],
    [3_590, 10],
  ] as const) {
    const params = { endpoint: ENDPOINT, reason: null, wait_s: 3_600 } as never
    const note = { action_id: 'a', patience }
    const looked = await isolateAt(waited).resume({} as never, params, note, {} as never)
    assert.deepEqual(looked, { until: new Date(BEGAN + (waited + gap) * 1_000) })
  }
})
