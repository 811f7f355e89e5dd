import type { LearnerToday } from '@manara/player-contract/learners'
import { signal } from '@preact/signals'
import type { Api } from './api.ts'

/** Who learns with this box: shown to phones that have the token. */
export function createLearners(api: Pick<Api, 'get'>) {
  /** Null until they were asked for. */
  const list = signal<LearnerToday[] | null>(null)

  async function load() {
    list.value = (await api.get<{ learners: LearnerToday[] }>('/hifz/learners')).learners
  }

  return {
    list,
    load,
    /** After a change of ours, which is done: the box tells of it too, so that this may fail. */
    refresh: () => load().catch(() => {}),
    find: (id: number | undefined) => list.value?.find((learner) => learner.id === id),
  }
}
export type Learners = ReturnType<typeof createLearners>
