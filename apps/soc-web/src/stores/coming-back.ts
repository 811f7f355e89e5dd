import type { Profile } from '@manara/soc-contract/users'
import { type Signal, signal } from '@preact/signals'
import type { Api } from './api.ts'

export type ComingBackDeps = {
  /** Whose refusals mean nothing more than that. */
  api: Pick<Api, 'get'>
  me: Signal<Profile | null>
  /** Somebody else is here, or nobody was before: this page is not theirs. */
  leave(to: 'sign-in' | 'beginning'): void
  /** Resolves when nobody is in the middle of a text, of which a password would get the rest. */
  pause(): Promise<void>
}

/** The end of a session under a page: it stays as it is until the same person is back. */
export function createComingBack({ api, me, leave, pause }: ComingBackDeps) {
  const isAsking = signal(false)
  const isOver = signal(false)
  let waiting: { promise: Promise<boolean>; resolve(isBack: boolean): void } | undefined

  function settle(isBack: boolean) {
    const waited = waiting
    waiting = undefined
    ;[isAsking.value, isOver.value] = [false, false]
    waited?.resolve(isBack)
  }

  /** Looks who is signed in now; whether somebody is. */
  async function look(): Promise<boolean> {
    const before = me.peek()
    const found = await api.get<Profile>('/users/me').catch(() => null)
    if (!found || !waiting) return found !== null
    if (before && isSame(before, found)) {
      me.value = found
      settle(true)
    } else {
      // What is typed here is sent for nobody else, nor shown to them: it goes with the page.
      isAsking.value = true
      waiting.resolve(false)
      leave('beginning')
    }
    return true
  }

  return {
    /** Whether the session has ended: from then on somebody has to sign in, … */
    isOver,
    /** … and is asked to. */
    isAsking,
    look,
    /** Resolves with whether the same person is back; all who ask meanwhile wait for one answer. */
    wait(): Promise<boolean> {
      if (waiting) return waiting.promise
      if (me.peek() === null) {
        leave('sign-in')
        return Promise.resolve(false)
      }
      let resolve = (_: boolean) => {}
      const promise = new Promise<boolean>((settled) => {
        resolve = settled
      })
      waiting = { promise, resolve }
      // They may be back already, in another tab.
      void look().then(async (isSomebody) => {
        if (isSomebody || !waiting) return
        isOver.value = true
        await pause()
        if (waiting) isAsking.value = true
      })
      return promise
    },
  }
}

/** By the id, since a name may be given again; without a database there is only the name. */
const isSame = (one: Profile, other: Profile) =>
  one.id && other.id ? one.id === other.id : one.username === other.username
