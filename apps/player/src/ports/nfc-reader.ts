export type ReaderStatus = {
  /** What talks to the reader; none while there is nothing to talk to. */
  adapter: 'pn532' | 'pcsc' | 'sim' | 'none'
  /** False while the reader is unplugged or does not answer. */
  present: boolean
  /** As the reader names itself; empty while there is none. */
  name: string
}

export type ReaderEvent =
  /** The reader can be read, for the first time or again; what lies on it follows. */
  | { type: 'ready' }
  /**
   * It cannot be read. What lay on it may still lie there. `isAbsent`: nobody has named one, and nothing
   * looks like one.
   */
  | { type: 'lost'; reason: string; isAbsent?: boolean }
  /** This card lies on it now; upper-case hex. */
  | { type: 'card'; uid: string }
  /** Nothing lies on it. For a moment that can be false: cards at the rim of the field flicker. */
  | { type: 'empty' }

/** Something that tells which card lies on it. One that is lost is looked for until it is back. */
export type NfcReader = {
  status(): ReaderStatus
  /**
   * Reports changes, in order, until it is stopped. Resolves when it is known whether there is a
   * reader, which takes a few seconds at most. Never rejects.
   */
  start(listener: (event: ReaderEvent) => void): Promise<void>
  stop(): Promise<void>
}
