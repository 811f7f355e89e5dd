import type { Announcer } from './announcer.ts'
import { type Ending, endingOf, REPLACED, type Session, tailOf } from './session.ts'
import type { Tail } from './tail.ts'

export type Holder = ReturnType<typeof createHolder>

type HolderDeps = {
  tail: Tail
  /** Nothing more is wanted to be heard of the session. */
  forget(): void
  /** Lets the device go. */
  rest(): Promise<unknown>
}

/** Without sound for this long the device is let go. */
const IDLE_MS = 30_000

/** The one session, and how it ends. */
export function createHolder({ emit, become }: Announcer, { tail, forget, rest }: HolderDeps) {
  let settling = Promise.withResolvers<void>()
  let session: Session | undefined
  let idle: NodeJS.Timeout | undefined
  /** Another source is about to take its place, so that its end is no longer told. */
  let held: Ending | boolean = false

  function settle() {
    settling.resolve()
    settling = Promise.withResolvers<void>()
  }

  function drop() {
    session?.ready.reject(new Error(REPLACED))
    session?.ending.abort()
    session = undefined
    held = false
    forget()
    settle()
    clearTimeout(idle)
    idle = setTimeout(() => void rest().catch(() => {}), IDLE_MS)
  }

  async function finish(current: Session, ending: Ending) {
    if (held && session === current) {
      held = ending
      return
    }
    const { reason, error } = ending.reason === 'eof' ? await endingOf(current) : ending
    if (session !== current) return
    const left_ms = tailOf(current)
    tail.begin(left_ms)
    current.ready.resolve()
    drop()
    become('stopped')
    emit({ type: 'ended', reason, ...(error !== undefined && { error }), left_ms })
  }

  return {
    current: () => session,
    drop,
    finish,
    settle,
    /** The next time that sound is ready, or that there is nothing more to wait for. */
    settled: () => settling.promise,

    take(next: Session) {
      drop()
      clearTimeout(idle)
      session = next
    },

    /** It has never sounded. */
    fail(current: Session, reason: string | Error) {
      if (session !== current) return
      current.ready.reject(typeof reason === 'string' ? new Error(reason) : reason)
      drop()
      become('stopped')
    },

    hold(isHeld: boolean) {
      const ending = held
      held = isHeld && (held || true)
      if (!isHeld && session && typeof ending === 'object') void finish(session, ending)
    },

    end() {
      drop()
      clearTimeout(idle)
    },
  }
}
