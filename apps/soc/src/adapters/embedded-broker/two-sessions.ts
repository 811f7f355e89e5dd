const WINDOW_MS = 60_000
const MOST_TAKEOVERS = 3

/**
 * Notices that two use one certificate at the same time. A device that lost its line comes back while
 * the old connection still looks alive, so one overlap says nothing. It says something when
 *
 * - the older of two connections is heard of after the newer one had begun, or
 * - connections of one client id push each other out again and again.
 */
export function createTwoSessionsWatch<Session extends object>(now: () => number) {
  const live = new Map<string, { session: Session; clientId: string; since: number }[]>()
  const takeovers = new Map<string, number[]>()

  const of = (deviceId: string) => live.get(deviceId) ?? []

  return {
    /** What is odd about it, if anything is. */
    begins(deviceId: string, clientId: string, session: Session): string | undefined {
      const others = of(deviceId)
      const taken = others.some((other) => other.clientId === clientId)
      live.set(deviceId, [
        ...others.filter((other) => other.clientId !== clientId),
        { session, clientId, since: now() },
      ])
      if (!taken) return undefined
      const recent = (takeovers.get(deviceId) ?? []).filter((at) => now() - at < WINDOW_MS)
      recent.push(now())
      takeovers.set(deviceId, recent)
      return recent.length >= MOST_TAKEOVERS
        ? `its connections pushed each other out ${recent.length} times within a minute`
        : undefined
    },
    /** It was heard of. */
    speaks(deviceId: string, session: Session): string | undefined {
      const all = of(deviceId)
      if (all.length < 2) return undefined
      const own = all.find((other) => other.session === session)
      const isOlder = own && all.some((other) => other.since > own.since)
      return isOlder ? 'two connections were in use at the same time' : undefined
    },
    ends(deviceId: string, session: Session) {
      const left = of(deviceId).filter((other) => other.session !== session)
      if (left.length > 0) live.set(deviceId, left)
      else live.delete(deviceId)
    },
  }
}
