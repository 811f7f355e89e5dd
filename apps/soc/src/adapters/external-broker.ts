import { connectAsync, type IClientOptions } from 'mqtt'
import type { DeviceBroker, OutgoingMessage } from '../ports/device-broker.ts'
import {
  type BrokerCredentials,
  beginSession,
  type Session,
  type SessionOptions,
} from './external-broker/session.ts'

export type ExternalBrokerOptions = SessionOptions & {
  credentials(): Promise<BrokerCredentials>
  /**
   * Of several processes on one database one has the session at a time: two would push each other
   * out for ever. Calls `begin` when it is this one's turn, and what that resolves to when it is over.
   */
  inTurn(begin: () => Promise<() => Promise<void>>): { stop(): Promise<void> }
  /** The session is ours: what another process had under way is sent by us. */
  onBegin(): Promise<void>
  /** The broker has taken the message. */
  onTaken(message: OutgoingMessage): Promise<void>
  /** Makes the broker refuse what is revoked. */
  publishRevocations(): Promise<void>
  /** A certificate with the name of the device, for the moment it takes to push it out. */
  standInFor(deviceId: string): Promise<BrokerCredentials>
}

const KICKS = 3
const KICK_MS = 1_000
const PATIENCE_MS = 10_000

/** A broker beside us: devices are known to it by their certificates, and to us by their answers. */
export async function openExternalBroker(options: ExternalBrokerOptions) {
  const { url, log } = options
  let isStopped = false
  let credentials = await options.credentials()
  let session: Session | undefined
  const turns = options.inTurn(async () => {
    await options.onBegin()
    const own = beginSession(options, credentials)
    session = own
    return async () => {
      session = undefined
      await own.end()
    }
  })

  /** A second connection with the same client id ends the first: every broker has to do this. */
  async function kick(deviceId: string) {
    const standIn = await options.standInFor(deviceId)
    const own: IClientOptions = { clientId: deviceId, clean: true, reconnectPeriod: 0 }
    const pushing = await connectAsync(url, {
      ...{ ...credentials, ...standIn, ...own },
      ...{ protocolVersion: 4, connectTimeout: PATIENCE_MS },
    })
    await pushing.endAsync()
  }

  /** It may have come back before the broker had read the new list. */
  async function kickAgain(deviceId: string) {
    for (let kicks = 1; kicks < KICKS && !isStopped; kicks += 1) {
      await new Promise((resolve) => setTimeout(resolve, KICK_MS).unref())
      await kick(deviceId)
    }
  }

  const warn = (error: unknown) => log.error({ err: error }, 'a revoked device may be connected')

  const external: DeviceBroker = {
    // Who has the session sends what all processes ask: it waits in the database.
    reachable: () => (session?.isConnected() ? 'all' : []),
    async send(message) {
      if (!session) throw new Error('another process has the session at the broker')
      await session.publish(message)
      await options.onTaken(message)
    },
    // What was under way is sent again by the client itself.
    async sendAgain() {},
    async cut(deviceId) {
      await options.publishRevocations().catch(warn)
      await kick(deviceId).catch(warn)
      void kickAgain(deviceId).catch(warn)
    },
    async stop() {
      isStopped = true
      await turns.stop()
    },
  }
  return {
    ...external,
    /** Long before they expire: a broker looks at them when we connect again. */
    async renewCredentials() {
      credentials = await options.credentials()
      session?.renew(credentials)
    },
  }
}
