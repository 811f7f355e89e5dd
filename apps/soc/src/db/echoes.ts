import { randomUUID } from 'node:crypto'

/** Words that processes send round, each to be answered by all who hear it. */
export function createEchoes({ patienceMs }: { patienceMs: number }) {
  const waiting = new Map<string, (who: string) => void>()

  return {
    /** `word`, or `word who` of one who has heard it. False when another process waits for an answer. */
    hear(payload: string): boolean {
      const [word = '', who] = payload.split(' ')
      waiting.get(word)?.(who ?? 'me')
      return who !== undefined || waiting.has(word)
    },
    /** Resolves when as many have heard the word as `send` says, or after some patience. */
    async heardByAll(send: (word: string) => Promise<number>): Promise<void> {
      const word = randomUUID()
      const heard = Promise.withResolvers<void>()
      const patience = setTimeout(heard.resolve, patienceMs)
      const those = new Set<string>()
      let all = Number.POSITIVE_INFINITY
      const check = () => {
        if (those.size >= all) heard.resolve()
      }
      waiting.set(word, (who) => {
        those.add(who)
        check()
      })
      try {
        all = await send(word)
        check()
        await heard.promise
      } catch {
        // Without ears nothing is remembered, here as elsewhere.
      } finally {
        clearTimeout(patience)
        waiting.delete(word)
      }
    },
  }
}
