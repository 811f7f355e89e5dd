const HOUR = 3_600_000

/** How often each thing was recorded in this hour, so that one of them cannot fill the database. */
export function createHourlyCap(most: number, now: () => number) {
  let recorded = new Map<string, number>()
  let told = new Set<string>()
  let hourBegan = Number.NEGATIVE_INFINITY

  function turnHour() {
    // A clock that was set back must not make this hour last until it is as late again.
    if (Math.abs(now() - hourBegan) < HOUR) return
    hourBegan = now()
    recorded = new Map()
    told = new Set()
  }

  return {
    /** How many more may be recorded. */
    room(key: string): number {
      turnHour()
      return Math.max(0, most - (recorded.get(key) ?? 0))
    },
    add(key: string, count: number) {
      turnHour()
      recorded.set(key, (recorded.get(key) ?? 0) + count)
    },
    /** True once an hour: it is to be told that there was no room. */
    isNews(key: string): boolean {
      turnHour()
      return told.size < told.add(key).size
    },
  }
}
