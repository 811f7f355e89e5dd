import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StepStatus } from '@manara/soc-contract/playbooks'
import { nextMove, type Seen } from './next-move.ts'

const seen = (steps: StepStatus[], more: Partial<Seen> = {}): Seen => ({
  status: 'running',
  rollback: 'none',
  isCancelled: false,
  isOverdue: false,
  steps: steps.map((status) => ({ status })),
  canBeUndone: () => true,
  ...more,
})

for (const [what, given, move] of [
  [
    'the first pending step runs',
    seen(['completed', 'pending', 'pending']),
    { kind: 'run', position: 1 },
  ],
  ['one that waits is resumed', seen(['waiting', 'pending']), { kind: 'resume', position: 0 }],
  [
    'one that was begun and not recorded is recovered first',
    seen(['running', 'pending']),
    { kind: 'recover', position: 0 },
  ],
  [
    'also when the time is over',
    seen(['running'], { isOverdue: true }),
    { kind: 'recover', position: 0 },
  ],
  ['over time it ends', seen(['waiting'], { isOverdue: true }), { kind: 'time-out' }],
  [
    'a cancel comes before everything',
    seen(['running'], { isCancelled: true, isOverdue: true }),
    { kind: 'cancel' },
  ],
  ['all over is completed', seen(['completed', 'skipped', 'failed']), { kind: 'complete' }],
  ['an ended one needs nothing', seen(['completed'], { status: 'completed' }), { kind: 'nothing' }],
  [
    'taking back begins with the last',
    seen(['completed', 'completed', 'failed'], { rollback: 'pending', isCancelled: true }),
    { kind: 'undo', position: 1 },
  ],
  [
    'also one that was ordered when it was cancelled',
    seen(['completed', 'cancelled'], { rollback: 'pending', status: 'cancelled' }),
    { kind: 'undo', position: 1 },
  ],
  [
    'an undo that was not recorded is recovered first',
    seen(['completed', 'undoing'], { rollback: 'pending', status: 'failed' }),
    { kind: 'recover-undo', position: 1 },
  ],
  [
    'what has no way back is left',
    seen(['completed', 'undone', 'undo_failed'], { rollback: 'pending', canBeUndone: () => false }),
    { kind: 'finish-rollback' },
  ],
] as const) {
  test(what, () => assert.deepEqual(nextMove(given), move))
}
