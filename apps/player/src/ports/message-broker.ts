type BrokerMessage = { topic: string; payload: string }

export type BrokerSession = {
  /** Resolves when the broker has it, or at once while it is away: then the newest of a topic is sent later. */
  publish(topic: string, payload: string, options?: { retain?: boolean }): Promise<void>
  /** Says goodbye with the will, so that others see it at once. Never rejects. */
  close(): Promise<void>
}

export type BrokerOptions = {
  /** Told by the broker when this box is gone without a word. */
  will: BrokerMessage
  subscribe: string[]
  /** The broker is there, for the first time or again: what it should know can be told now. */
  onConnect(): void
  /** Not for messages that were kept from before: a command is for those who heard it. */
  onMessage(message: BrokerMessage): void
  /** Why there is no broker; undefined when there is one again. */
  onProblem(problem: string | undefined): void
}

/** A message broker. Opening returns at once; a broker that is away is tried again until it is there. */
export type OpenBroker = (options: BrokerOptions) => Promise<BrokerSession>
