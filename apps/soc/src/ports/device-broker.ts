/** A request on its way to a device, as one MQTT message. */
export type OutgoingMessage = {
  deviceId: string
  topic: string
  payload: Buffer
  /** Of the packet: a repeat of the same message has the same one. */
  messageId: number
}

/** How a device is connected. */
export type BrokerSession = {
  deviceId: string
  /** SHA-256 of its certificate, in hex. */
  fingerprint: string
  address: string
  clientId: string
  /** It wants to be remembered while it is away. */
  isKept: boolean
}

export type Subscription = { topic: string; qos: number }

/** Who is behind a certificate. */
export type Admitted = {
  deviceId: string
  /** `group/edge node` of a gateway that speaks Sparkplug B. */
  sparkplugNode: string | null
}

/**
 * Why a connection was ended: a packet above the limit, too many from one network that were not let
 * in yet, no certificate of ours, no CONNECT, a device that may not.
 */
export type BrokerRefusal =
  | 'too_large'
  | 'too_many'
  | 'no_handshake'
  | 'no_connect'
  | 'not_admitted'

/** What a broker tells and asks. What rejects is not acknowledged: the device sends it again. */
export type BrokerEvents = {
  /** Undefined refuses the connection, as does a rejection. */
  admit(fingerprint: string): Promise<Admitted | undefined>
  /** Before the session begins; resolves to what is remembered of an earlier one, if it is kept. */
  begin(session: BrokerSession): Promise<Subscription[] | undefined>
  /** The session can take messages. */
  onReady(session: BrokerSession): void
  onGone(session: BrokerSession): void
  /** Two that use one certificate at the same time. */
  onTwoSessions(session: BrokerSession, reason: string): void
  onSubscribed(session: BrokerSession, subscriptions: Subscription[]): Promise<void>
  onUnsubscribed(session: BrokerSession, topics: string[]): Promise<void>
  /** The device has taken the message and will release it to itself. */
  onReceived(deviceId: string, messageId: number): Promise<void>
  /** The device has it for good. */
  onDelivered(deviceId: string, messageId: number): Promise<void>
  /** Resolves when it is stored: only then the device gets its acknowledgement. */
  onEvidence(deviceId: string, payload: Buffer): Promise<void>
  onRefused(reason: BrokerRefusal): void
  onSparkplug(topic: string, payload: Buffer): Promise<void>
}

export type DeviceBroker = {
  /** Devices that could take a message now. */
  reachable(): string[] | 'all'
  /** Resolves when it is written to the device or taken by the broker; rejects when it is neither. */
  send(message: OutgoingMessage): Promise<void>
  /** The same message once more, `received` says that only its release is missing. */
  sendAgain(message: OutgoingMessage, phase: 'published' | 'received'): Promise<void>
  /** Ends every session of the device; resolves when they are gone. */
  cut(deviceId: string): Promise<void>
  stop(): Promise<void>
}
