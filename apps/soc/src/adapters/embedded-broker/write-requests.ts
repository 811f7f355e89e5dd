import mqttPacket from 'mqtt-packet'
import type {
  BrokerEvents,
  DeviceBroker,
  OutgoingMessage,
  Subscription,
} from '../../ports/device-broker.ts'
import type { Live, LiveSessions } from './live-sessions.ts'
import { takesRequests } from './topic-access.ts'

/** Requests are written to their device directly, in the quality that it asked for. */
export function createRequestWriter(
  sessions: LiveSessions,
  { onDelivered }: BrokerEvents,
): Pick<DeviceBroker, 'reachable' | 'send' | 'sendAgain'> {
  function write(message: OutgoingMessage, packet: (qos: 0 | 1 | 2) => mqttPacket.Packet) {
    const live = sessions.taking(message.deviceId)
    const qos = live && grantedQos(live)
    if (!live || qos === undefined) throw new Error('the device is not connected')
    live.client.conn.write(mqttPacket.generate(packet(qos)))
    return qos
  }

  async function publish(message: OutgoingMessage, dup: boolean) {
    const { topic, payload, messageId } = message
    const qos = write(message, (granted) => ({
      ...{ cmd: 'publish', topic, payload, messageId, qos: granted },
      ...{ dup: dup && granted > 0, retain: false },
    }))
    // Nothing comes back for a message that the device asked to get without acknowledgement.
    if (qos === 0) await onDelivered(message.deviceId, messageId)
  }

  return {
    reachable: () =>
      sessions
        .allTaking()
        .flatMap((live) => (grantedQos(live) === undefined ? [] : live.session.deviceId)),
    send: (message) => publish(message, false),
    async sendAgain(message, phase) {
      if (phase === 'published') return publish(message, true)
      write(message, () => ({ cmd: 'pubrel', messageId: message.messageId }))
    },
  }
}

/** Of the subscription that requests come through; undefined when there is none. */
function grantedQos({ client, session }: Live): 0 | 1 | 2 | undefined {
  const { subscriptions } = client as unknown as { subscriptions: Record<string, Subscription> }
  const granted = Object.entries(subscriptions)
    .filter(([filter]) => takesRequests(session.deviceId, filter))
    .map(([, { qos }]) => qos)
  return granted.length > 0 ? (Math.max(...granted) as 0 | 1 | 2) : undefined
}
