import type { IngestWay } from '@manara/soc-contract/siem-ingest'
import type { LogLines } from '../../../../core/arrivals/log-lines.ts'
import type { Matched } from '../../../../core/arrivals/matched.ts'
import type { PackedLogs } from '../../../../ports/log-store.ts'
import type { NormalisedLog } from '../../normalise/normalise.ts'
import type { Picked } from '../picked.ts'
import type { Rejection } from '../piece.ts'
import type { Tally } from '../tally.ts'

/** `client` is the name in the sender's certificate. */
export type SyslogMessage = { text: string; peer: string; client?: string | undefined }

/** Whose the events are, said by whoever took them in: nothing in them says otherwise. */
export type Vouched = { known: { host: string; source: string }; facts: Record<string, string> }

/** How the events stand in what was sent. */
export type Format =
  | { kind: 'native'; contentType: string; vouched?: Vouched | undefined }
  | { kind: 'hec' }
  | { kind: 'hec_raw'; query: Record<string, unknown> }
  | { kind: 'elastic'; index: string | undefined }
  | { kind: 'document'; index: string; id: string | undefined }
  | { kind: 'otlp'; isProto: boolean }
  | { kind: 'syslog'; messages: SyslogMessage[] }

export type Reading = {
  way: IngestWay
  format: Format
  /** Nothing for syslog, whose messages are texts already. */
  body?: Buffer | undefined
  receivedAt: number
  /** Kept as text without being looked into: their sender's lines took too long before. */
  areUnread?: boolean | undefined
}

/** Many events, made ready where they were read for all who handle them later. */
export type Bundle = {
  /** As their store writes them. */
  packed: PackedLogs
  /** As JSON, for rules that match elsewhere. */
  lines: LogLines | undefined
  receivedAt: number
  tally: Tally[]
  /** By sieve. */
  picked: Picked[]
  /** What rules match, where they are known. */
  matched: Matched | undefined
}

/** Some events of a reading, in their order. */
export type Part = {
  /** Which event the first one is. */
  from: number
  /** How many there are. */
  size: number
  /** None where they are in a bundle. */
  logs: NormalisedLog[]
  bundle?: Bundle | undefined
  /** Id and index of each, where the protocol answers with them. */
  named: { id: string; index: string }[]
  rejections: Rejection[]
  /** What was to be done with each, where the protocol says so. */
  kinds: string[]
  /** Of the logs, those that were kept as text, whole or from some place on. */
  unread: number
  /** In events; one that is longer than others counts for several. */
  work: number
  /** Events that took too long to read. */
  hangs: number
  /** The last fault of a parser: its event was kept as text. */
  fault?: unknown
  isLast: boolean
}
