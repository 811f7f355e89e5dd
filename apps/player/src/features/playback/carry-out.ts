import { AppError } from '@manara/kit/errors'
import { NoDevice } from '../../ports/audio-output.ts'
import type { Command, Step } from './domain/state.ts'
import type { PlayerDeps } from './player-deps.ts'
import { createPassing, failedPath, refusal } from './refusal.ts'
import type { Stage } from './stage.ts'

/** Decides on a command and does it. Next and prev pass what cannot be played, as if it were not there. */
export async function carryOut(stage: Stage, deps: PlayerDeps, wanted: Command): Promise<Step> {
  const { book, machine } = stage
  const passes = wanted.type === 'next' || wanted.type === 'prev'
  const { shelf, pass } = createPassing(deps.shelf, deps.clock, stage.haste)
  const failUnlessUntouched = (error: unknown) => {
    if (!isUntouched(stage, deps) && !machine().adhan) stage.fail(error)
  }
  let problem: unknown
  for (;;) {
    let decided: Step
    try {
      decided = await book.decide(machine(), wanted, shelf)
    } catch (error) {
      if (problem) failUnlessUntouched(problem)
      throw error
    }
    try {
      await stage.perform(decided, passes || wanted.type === 'play')
      return decided
    } catch (error) {
      problem = error
      const isOfTrack = !(error instanceof NoDevice)
      if (passes && isOfTrack && pass(failedPath(decided))) continue
      if (error instanceof AppError) throw error
      failUnlessUntouched(error)
      throw refusal(wanted, error)
    }
  }
}

/** A refused source leaves alone what sounds, or the silence between two repetitions. */
function isUntouched({ machine }: Stage, { audio }: PlayerDeps): boolean {
  const { gap, state } = machine()
  return gap !== null || (state !== 'stopped' && audio.snapshot().state !== 'stopped')
}
