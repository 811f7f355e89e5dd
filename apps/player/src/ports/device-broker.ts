export type DeviceBrokerOptions = {
  url: string
  clientId: string
  /** PEM: its own key and certificate, and who signed the broker's. */
  key: string
  cert: string
  ca: string
  subscribe: string
  onMessage(payload: Buffer): void
  /** Undefined when it is connected, else why not. */
  onState(problem: string | undefined): void
}

export type DeviceBrokerSession = {
  /** Resolves when the broker has it; waits while it is away. */
  publish(topic: string, payload: Buffer): Promise<void>
  close(): Promise<void>
}

/** A broker that knows devices by their certificates. Opening returns at once. */
export type OpenDeviceBroker = (options: DeviceBrokerOptions) => Promise<DeviceBrokerSession>
