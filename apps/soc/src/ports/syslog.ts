export type SyslogWay = 'syslog_udp' | 'syslog_tcp' | 'syslog_tls'

/** Who sent it: the address, and the name in the certificate where one was shown. */
export type SyslogPeer = { address: string; client?: string | undefined }

/** What listeners hand over: messages without their framing, as text. */
export type SyslogSink = {
  /** Resolves when more may be read: a stream waits for it. */
  fromStream(way: SyslogWay, messages: string[], peer: SyslogPeer): Promise<void>
  /** Datagrams cannot wait: what there is no room for is dropped and counted. */
  fromDatagrams(messages: { text: string; peer: string }[]): void
  /** Somebody who may not send, has too many connections open, or showed no good certificate. */
  refused(way: SyslogWay, address: string, reason: 'not_allowed' | 'rate_limit'): void
}

type SyslogAddress = { host: string; port: number }

export type SyslogListener = {
  /** Where it listens, with the port that was found if 0 was asked for. */
  address: SyslogAddress
  /** Resolves when nothing more will be handed over. */
  stop(): Promise<void>
}

export type SyslogOptions = {
  mostBytes: number
  /** By the sender's address. */
  isAllowed(address: string): boolean
}

export type SyslogTls = {
  cert: string
  key: string
  /** Who signs the certificates of those who may send. */
  ca: string
  /** Names or SHA-256 fingerprints of certificates; empty lets everybody in whom the authority signed. */
  clients: readonly string[]
}

export type OpenSyslog = (
  address: SyslogAddress,
  sink: SyslogSink,
  options: SyslogOptions,
) => Promise<SyslogListener>
