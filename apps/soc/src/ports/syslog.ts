/** What listeners hand over: messages without their framing, as text. */
export type SyslogSink = {
  /** Resolves when more may be read: a stream waits for it. */
  fromStream(messages: string[], peer: string): Promise<void>
  /** Datagrams cannot wait: what there is no room for is dropped and counted. */
  fromDatagrams(messages: { text: string; peer: string }[]): void
}

type SyslogAddress = { host: string; port: number }

export type SyslogListener = {
  /** Where it listens, with the port that was found if 0 was asked for. */
  address: SyslogAddress
  /** Resolves when nothing more will be handed over. */
  stop(): Promise<void>
}

export type OpenSyslog = (
  address: SyslogAddress,
  sink: SyslogSink,
  options: { mostBytes: number },
) => Promise<SyslogListener>
