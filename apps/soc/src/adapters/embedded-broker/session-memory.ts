import { Readable } from 'node:stream'
import type { BrokerEvents, BrokerSession, Subscription } from '../../ports/device-broker.ts'

type ClientLike = { id: string }
type Numbered = { messageId?: number | undefined }

/** The session of a client of the broker, with what is remembered of an earlier one. */
type SessionOf = (client: ClientLike) => LiveSession | undefined
export type LiveSession = {
  session: BrokerSession
  remembered: Subscription[] | undefined
  /** What it was let subscribe to. */
  filters: ReadonlySet<string>
}

/** A device may never release what it sent, and come under any number of client ids. */
const MOST_PACKETS = 1_000
const MOST_CLIENTS = 20_000

/**
 * What aedes asks of a store. Requests wait in our outbox and not here: the broker keeps no queue of
 * its own, and is told which packet a device has taken. Packets of devices are known by their number
 * until they are released; after a restart an answer that comes again is the same answer.
 */
export function createSessionMemory(sessionOf: SessionOf, events: BrokerEvents) {
  const incoming = new Map<string, Map<number, object>>()
  const nothing = async () => {}
  const noPackets = () => Readable.from([])
  const packetsOf = (client: ClientLike) => incoming.get(client.id) ?? new Map<number, object>()

  return {
    // Aedes looks for the keyword.
    async setup() {},
    subscriptionsByClient: async (client: ClientLike) => sessionOf(client)?.remembered ?? [],
    subscriptionsByTopic: async () => [],
    async addSubscriptions(client: ClientLike, subscriptions: Subscription[]) {
      const live = sessionOf(client)
      // Aedes hands over all of the packet for each of them, with those that were refused.
      const granted = subscriptions.filter(({ topic }) => live?.filters.has(topic))
      if (live) await events.onSubscribed(live.session, granted)
    },
    async removeSubscriptions(client: ClientLike, topics: string[]) {
      const live = sessionOf(client)
      if (live) await events.onUnsubscribed(live.session, topics)
    },
    cleanSubscriptions: nothing,
    countOffline: async () => ({ subsCount: 0, clientsCount: 0 }),

    outgoingEnqueue: nothing,
    outgoingEnqueueCombi: nothing,
    async outgoingUpdate(client: ClientLike, packet: Numbered & { cmd: string }) {
      const live = sessionOf(client)
      if (live && packet.cmd === 'pubrel' && packet.messageId !== undefined) {
        await events.onReceived(live.session.deviceId, packet.messageId)
      }
    },
    async outgoingClearMessageId(client: ClientLike, packet: Numbered) {
      const live = sessionOf(client)
      if (live && packet.messageId !== undefined) {
        await events.onDelivered(live.session.deviceId, packet.messageId)
      }
      return packet
    },
    outgoingStream: noPackets,

    async incomingStorePacket(client: ClientLike, packet: Numbered) {
      const packets = packetsOf(client)
      packets.set(packet.messageId ?? 0, {})
      // The last one is the newest.
      incoming.delete(client.id)
      incoming.set(client.id, packets)
      dropOldest(packets, MOST_PACKETS)
      dropOldest(incoming, MOST_CLIENTS)
    },
    async incomingGetPacket(client: ClientLike, packet: Numbered) {
      const found = packetsOf(client).get(packet.messageId ?? 0)
      if (!found) throw new Error('no such packet')
      return found
    },
    async incomingDelPacket(client: ClientLike, packet: Numbered) {
      const packets = packetsOf(client)
      packets.delete(packet.messageId ?? 0)
      if (packets.size === 0) incoming.delete(client.id)
    },
    async cleanIncoming(client: ClientLike) {
      incoming.delete(client.id)
    },

    storeRetained: nothing,
    createRetainedStream: noPackets,
    createRetainedStreamCombi: noPackets,
    putWill: nothing,
    getWill: nothing,
    delWill: nothing,
    streamWill: noPackets,
    getClientList: noPackets,
    destroy: nothing,
  }
}

function dropOldest<Key>(map: Map<Key, unknown>, most: number) {
  for (const key of map.keys()) {
    if (map.size <= most) return
    map.delete(key)
  }
}
