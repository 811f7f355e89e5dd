/** Half of what the service answers one person within a minute. */
const MANY = 50
const MINUTE_MS = 60_000

/** How much is asked of the service, so that what nobody waits for leaves room for what somebody does. */
export function createPace(now: () => number) {
  let asked: number[] = []
  return {
    count() {
      asked = [...asked.filter((at) => at > now() - MINUTE_MS), now()]
    },
    isBusy: () => asked.filter((at) => at > now() - MINUTE_MS).length > MANY,
  }
}
