import { workerData } from 'node:worker_threads'
import { answerCalls } from '@manara/kit/thread/answer-calls'
import type { Part, Reading } from '../features/siem/ingest/read/part.ts'
import {
  PROGRESS,
  type ReaderCalls,
  type ReaderData,
} from '../features/siem/ingest/read/protocol.ts'
import { keepUnread } from '../features/siem/normalise/keep-unread.ts'
import { normalise } from '../features/siem/normalise/normalise.ts'

/** Reads one message a part, and never ends with one that says `hang` unless it is told not to read it. */
const progress = new Int32Array((workerData as ReaderData).progress)
const open = new Map<number, { reading: Reading; index: number; unread: number[] }>()
const arrival = { receivedAt: 0, way: 'syslog', newId: () => crypto.randomUUID() }

// The first one takes longest, and longer still on a busy machine: it is no event that hangs.
normalise({ text: 'one', peer: '' }, arrival)

answerCalls<ReaderCalls>({
  open([id, reading, from, unread]) {
    open.set(id, { reading, index: from, unread })
    return undefined
  },
  next([id]): Part {
    const state = open.get(id)
    if (state?.reading.format.kind !== 'syslog') throw new Error('only syslog')
    const { index, reading, unread } = state
    progress.set([id, index], PROGRESS.reading)
    Atomics.add(progress, PROGRESS.count, 1)
    const message = state.reading.format.messages[index] ?? { text: '', peer: '' }
    const isUnread = reading.areUnread === true || unread.includes(index)
    while (message.text === 'hang' && !isUnread);
    state.index += 1
    progress[PROGRESS.reading] = 0
    return {
      ...{ from: index, size: 1, rejections: [], kinds: [], named: [], work: 1 },
      logs: [isUnread ? keepUnread(message, arrival) : normalise(message, arrival)],
      unread: isUnread ? 1 : 0,
      hangs: unread.includes(index) ? 1 : 0,
      isLast: state.index === state.reading.format.messages.length,
    }
  },
  close: ([id]) => void open.delete(id),
  parsers: () => {},
  rules: () => {},
})
