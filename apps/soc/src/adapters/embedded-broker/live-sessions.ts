import { createQueue } from '@manara/kit/queue'
import type { Client } from 'aedes'
import type { Admitted, BrokerEvents, BrokerSession } from '../../ports/device-broker.ts'
import type { LiveSession } from './session-memory.ts'
import { createTwoSessionsWatch } from './two-sessions.ts'

export type Live = LiveSession & {
  admitted: Admitted
  client: Client
  filters: Set<string>
  /** What it says is taken in its order: aedes hands over all of a piece of the line at once. */
  inTurn: ReturnType<typeof createQueue>['run']
}

type Entering = { session: BrokerSession; remembered: Live['remembered']; admitted: Admitted }

export type LiveSessions = ReturnType<typeof createLiveSessions>

/** Who is connected, and through which of its connections a device takes messages. */
export function createLiveSessions(events: BrokerEvents, now: () => number) {
  const lives = new Map<object, Live>()
  /** The newest of each device that can take messages. */
  const current = new Map<string, Live>()
  /** By client id, which is all that aedes says when it looks for an earlier session. */
  const beginning = new Map<string, Live>()
  /** Also of a connection that is gone: its will comes afterwards. */
  const everOf = new WeakMap<object, Live>()
  const watch = createTwoSessionsWatch<object>(now)
  const ofDevice = (deviceId: string) =>
    [...lives.values()].filter(({ session }) => session.deviceId === deviceId)

  function enter(client: Client, { session, ...known }: Entering) {
    const oddity = watch.begins(session.deviceId, session.clientId, client)
    // Who comes with the client id of another device takes nothing from it.
    client.id = `${session.deviceId} ${client.id}`
    const own = { filters: new Set<string>(), inTurn: createQueue().run }
    const live = { session, ...known, client, ...own }
    lives.set(client, live)
    everOf.set(client, live)
    beginning.set(client.id, live)
    if (oddity) events.onTwoSessions(session, oddity)
  }

  function heard({ session, client }: Live) {
    const oddity = watch.speaks(session.deviceId, client)
    if (oddity) events.onTwoSessions(session, oddity)
  }

  /** It takes the messages of its device from now on. */
  function become(client: object) {
    const live = lives.get(client)
    if (!live) return
    current.set(live.session.deviceId, live)
    events.onReady(live.session)
  }

  function forget(client: object) {
    const live = lives.get(client)
    if (!live) return
    lives.delete(client)
    const { session, client: own } = live
    if (beginning.get(own.id) === live) beginning.delete(own.id)
    watch.ends(session.deviceId, client)
    if (current.get(session.deviceId) !== live) return
    // Another connection of the same device may be left.
    const left = ofDevice(session.deviceId).at(-1)
    if (left) return become(left.client)
    current.delete(session.deviceId)
    events.onGone(session)
  }

  return {
    of: (client: object) => lives.get(client),
    ever: (client: object) => everOf.get(client),
    orBeginning: (client: { id: string }) => lives.get(client) ?? beginning.get(client.id),
    ofDevice,
    taking: (deviceId: string) => current.get(deviceId),
    allTaking: () => [...current.values()],
    ...{ enter, heard, become, forget },
  }
}
