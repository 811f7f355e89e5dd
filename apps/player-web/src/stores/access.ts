import type { Memory } from '@manara/ui/preferences'
import { signal } from '@preact/signals'

/** `isWrong`: the box has refused the token that was given. */
type Asking = { isWrong: boolean }

const TOKEN = /^[0-9a-f]{64}$/i

/** Groups, spaces and quotes come along when a token is copied from a console. */
export const cleanToken = (text: string): string => text.replace(/[^0-9a-f]/gi, '').toLowerCase()
export const isToken = (text: string): boolean => TOKEN.test(text)

/** The device token: asked for once, at the first change, then kept on this phone. */
export function createAccess(memory: Memory) {
  const token = signal(memory.getItem('token'))
  const asking = signal<Asking | null>(null)
  let waiting: ((token: string | null) => void)[] = []

  function answer(given: string | null) {
    asking.value = null
    const all = waiting
    waiting = []
    for (const tell of all) tell(given)
  }

  function give(text: string) {
    token.value = cleanToken(text)
    memory.setItem('token', token.value)
    answer(token.value)
  }

  return {
    token,
    asking,
    /** Resolves with a token, or with null when the person would rather not. */
    ask: (why: Asking = { isWrong: false }): Promise<string | null> =>
      new Promise((resolve) => {
        waiting.push(resolve)
        asking.value = why
      }),
    give,
    /** From a link, which anybody can make: what is kept gives way only to a token that the box takes. */
    async pair(text: string, isTaken: (token: string) => Promise<boolean>) {
      const offered = cleanToken(text)
      if (!isToken(offered)) return
      if (token.value === null || (await isTaken(offered))) give(offered)
    },
    refuse: () => answer(null),
    forget() {
      token.value = null
      memory.removeItem('token')
    },
  }
}
export type Access = ReturnType<typeof createAccess>
