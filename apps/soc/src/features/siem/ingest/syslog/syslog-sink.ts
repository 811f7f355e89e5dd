import { startTurns } from '@manara/kit/turns'
import type { IngestWay } from '@manara/soc-contract/siem-ingest'
import type { SyslogSink } from '../../../../ports/syslog.ts'
import { storable } from '../../normalise/fields.ts'
import { type NormalisedLog, normalise } from '../../normalise/normalise.ts'
import { parseSyslog } from '../../normalise/parsers/syslog.ts'
import type { Counters } from '../counters.ts'
import type { Pipeline } from '../pipeline.ts'

/** Syslog has no answers: what is taken in waits in the queue until the store has it. */
export function createSyslogSink(deps: {
  pipeline: Pipeline
  counters: Counters
  newId(): string
  now(): number
}): SyslogSink {
  const { pipeline, counters } = deps

  function logOf(received: string, peer: string): NormalisedLog {
    const text = storable(received)
    const arrival = { receivedAt: deps.now(), way: 'syslog', newId: deps.newId }
    const header = parseSyslog(text, arrival)
    if (!header) return normalise({ text, peer, extra: { 'syslog.peer': peer } }, arrival)
    const { at, severity, process, message = '', host } = header
    return normalise(
      {
        text: message,
        known: {
          ...(host ? { host } : {}),
          ...(at === undefined ? {} : { at }),
          ...(severity ? { severity } : {}),
          ...(process ? { process } : {}),
          ...(header.event_code ? { event_code: header.event_code } : {}),
        },
        peer,
        extra: { ...header.fields, 'syslog.peer': peer },
      },
      arrival,
    )
  }

  /** Holds the memory until it is stored; a failure was counted by the pipeline. */
  function keep(way: IngestWay, logs: NormalisedLog[], release: () => void) {
    pipeline
      .store(way, logs, true)
      .catch(() => {})
      .finally(release)
  }

  return {
    async fromStream(messages, peer) {
      await pipeline.room()
      const turn = startTurns()
      const logs: NormalisedLog[] = []
      for (const text of messages) {
        logs.push(logOf(text, peer))
        const isOver = turn()
        if (isOver) await isOver
      }
      keep('syslog_tcp', logs, pipeline.hold(sizeOf(messages)))
    },

    fromDatagrams(messages) {
      if (messages.length === 0) return
      const size = sizeOf(messages.map(({ text }) => text))
      let release: () => void
      try {
        release = pipeline.claim(size)
      } catch {
        counters.refused('syslog_udp', 'queue_full', messages.length)
        return
      }
      keep(
        'syslog_udp',
        messages.map(({ text, peer }) => logOf(text, peer)),
        release,
      )
    },
  }
}

const sizeOf = (messages: string[]) => messages.reduce((sum, { length }) => sum + length, 0)
