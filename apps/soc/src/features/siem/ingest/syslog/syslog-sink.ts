import { setTimeout as pause } from 'node:timers/promises'
import type { SyslogSink, SyslogWay } from '../../../../ports/syslog.ts'
import type { Budget } from '../budget.ts'
import type { Counters } from '../counters.ts'
import type { Pipeline } from '../pipeline.ts'
import type { SyslogMessage } from '../read/part.ts'
import type { ReadParts } from '../read-parts.ts'
import type { Senders } from '../senders.ts'

/**
 * Syslog has no answers: what is taken in waits in the queue until the store has it. A sender beyond
 * its budget waits where it can be made to, and is dropped and counted where not.
 */
export function createSyslogSink(deps: {
  pipeline: Pipeline
  counters: Counters
  senders: Senders
  budget: Budget
  readParts: ReadParts
}): SyslogSink & { idle(): Promise<void>; stop(): void } {
  const { pipeline, counters, senders, budget } = deps
  const reading = new Set<Promise<void>>()
  const stopping = new AbortController()

  /** Resolves when all of it is read and on its way to the disk; a failure was counted. */
  function keep(way: SyslogWay, messages: SyslogMessage[], peer: string, release: () => void) {
    const kept: Promise<void> = readAndStore(way, messages, peer)
      .catch(() => {
        counters.refused(way, 'store_error', messages.length)
        return []
      })
      .then((storing) => void Promise.all(storing).then(release))
      .finally(() => reading.delete(kept))
    reading.add(kept)
    return kept
  }

  async function readAndStore(way: SyslogWay, messages: SyslogMessage[], peer: string) {
    const sender = { id: peer, name: peer }
    const storing: Promise<unknown>[] = []
    const format = { kind: 'syslog', messages } as const
    for await (const part of deps.readParts({ way, format }, { sender, budget })) {
      if ('refusal' in part) continue
      storing.push(pipeline.storePart(way, part, { isPatient: true }).catch(() => {}))
    }
    return storing
  }

  function drop(
    way: SyslogWay,
    reason: 'queue_full' | 'rate_limit' | 'not_allowed',
    peer: string,
    count: number,
  ) {
    counters.refused(way, reason, count)
    senders.note(way, peer, { refused: count })
  }

  /** All datagrams of one sender that came together. */
  function keepDatagrams(peer: string, messages: SyslogMessage[]) {
    const way = 'syslog_udp'
    if (budget.waitMs(peer) > 0) return drop(way, 'rate_limit', peer, messages.length)
    let release: () => void
    try {
      release = pipeline.claim(sizeOf(messages))
    } catch {
      return drop(way, 'queue_full', peer, messages.length)
    }
    void keep(way, messages, peer, release)
  }

  return {
    async fromStream(way, texts, { address: peer, client }) {
      const wait = budget.waitMs(peer)
      if (wait > 0)
        await pause(wait, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
      await pipeline.room()
      const messages = texts.map((text) => ({ text, peer, client }))
      await keep(way, messages, peer, pipeline.hold(sizeOf(messages)))
    },

    fromDatagrams(messages) {
      for (const [peer, sent] of Map.groupBy(messages, (message) => message.peer)) {
        keepDatagrams(peer, sent)
      }
    },

    refused: (way, peer, reason) => drop(way, reason, peer, 1),

    /** Nobody waits for its turn any more. */
    stop: () => stopping.abort(),
    /** Once all that was handed over has been read and waits to be stored. */
    async idle() {
      while (reading.size > 0) await Promise.all(reading)
    },
  }
}

const sizeOf = (messages: SyslogMessage[]) =>
  messages.reduce((sum, { text }) => sum + text.length, 0)
