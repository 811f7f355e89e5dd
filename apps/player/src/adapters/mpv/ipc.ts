import type { Duplex } from 'node:stream'
import { afterSteps } from '@manara/kit/after-steps'

/** What mpv says without being asked. Only what is used here is named. */
export type MpvEvent = {
  event: string
  name?: string
  data?: unknown
  playlist_entry_id?: number
  reason?: string
  file_error?: string
  text?: string
}

export type Ipc = {
  /** Rejects with mpv's own word for what is wrong, or when the answer does not come in time. */
  ask(...command: unknown[]): Promise<unknown>
  /** The form with named arguments, whose order has changed between versions. */
  askNamed(command: Record<string, unknown>): Promise<unknown>
  /** Whether it says anything at all in this time. */
  answersWithin(ms: number): Promise<boolean>
  onEvent(listener: (event: MpvEvent) => void): void
  isOpen(): boolean
  close(reason: string): void
}

type Reply = { request_id: number; error: string; data?: unknown }

const PATIENCE_MS = 5000

/** mpv's JSON protocol: one object a line in both directions. */
export function createIpc(socket: Duplex): Ipc {
  const waiting = new Map<number, (reply: Reply) => void>()
  const listeners = new Set<(event: MpvEvent) => void>()
  let requests = 0
  let closed: string | undefined
  let rest = ''

  function receive(text: string) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line === '') continue
      const message = JSON.parse(line) as MpvEvent | Reply
      if ('event' in message) for (const listener of listeners) listener(message)
      else waiting.get(message.request_id)?.(message)
    }
  }

  function close(reason: string) {
    closed ??= reason
    for (const [request_id, answer] of waiting) answer({ request_id, error: reason })
    socket.destroy()
  }

  function send(command: unknown, patience_ms = PATIENCE_MS): Promise<unknown> {
    if (closed !== undefined) return Promise.reject(new Error(closed))
    const request_id = ++requests
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const stopWaiting = afterSteps(patience_ms, () =>
      waiting.get(request_id)?.({ request_id, error: 'mpv does not answer' }),
    )
    waiting.set(request_id, ({ error, data }) => {
      waiting.delete(request_id)
      stopWaiting()
      if (error === 'success') resolve(data)
      else reject(new Error(error))
    })
    socket.write(`${JSON.stringify({ command, request_id })}\n`)
    return promise
  }

  socket.setEncoding('utf8')
  socket.on('data', receive)
  socket.on('error', (error) => close(error.message))
  socket.on('close', () => close('the connection to mpv is closed'))

  return {
    ask: (...command) => send(command),
    askNamed: (command) => send(command),
    answersWithin: (ms) =>
      send(['get_property', 'pid'], ms).then(
        () => true,
        () => false,
      ),
    onEvent: (listener) => listeners.add(listener),
    isOpen: () => closed === undefined,
    close,
  }
}
