import type { Plan } from '@manara/player-contract/learners'
import { type Api, Refused } from './api.ts'
import { clashes, joinedPlan, type PlanPart } from './joined-plan.ts'
import type { Learners } from './learners.ts'

/** What another teacher has saved meanwhile, and the parts of it that would be overwritten. */
export type Clash = {
  theirs: Plan
  parts: PlanPart[]
  /** The two laid together, with these parts of the one and of the other. */
  withMine: Plan
  withTheirs: Plan
}

type Edited = {
  learner: number
  /** As it was when this teacher began; null where there was no plan. */
  before: Plan | null
  mine: Plan
}
type SaveDeps = { api: Pick<Api, 'put'>; learners: Pick<Learners, 'load' | 'find'> }

const MOST_TRIES = 3

/** Lays what was changed over the plan as it is now; resolves with what has to be told first. */
export async function savePlan({ api, learners }: SaveDeps, edited: Edited): Promise<Clash | null> {
  const { learner, before, mine } = edited
  for (let tries = 1; ; tries += 1) {
    await learners.load()
    const theirs = learners.find(learner)?.plan ?? null
    const parts = theirs ? clashes(before, mine, theirs) : []
    const withMine = before && theirs ? joinedPlan(before, mine, theirs) : mine
    if (theirs && parts.length > 0) {
      const withTheirs = before ? joinedPlan(before, theirs, mine) : theirs
      return { theirs, parts, withMine, withTheirs }
    }
    try {
      await api.put(`/hifz/learners/${learner}/plan`, { ...withMine, replaces: theirs })
      return null
    } catch (error) {
      // Somebody was quicker by a moment.
      const isLate = error instanceof Refused && error.status === 409
      if (!isLate || tries === MOST_TRIES) throw error
    }
  }
}
