import type { MpvEvent } from './ipc.ts'
import type { MpvProcess } from './process.ts'

/** What one mpv says about the source that was loaded last; what it says about others is left out. */
export type Signals = {
  /** Sound is ready to come, after a load or a seek. */
  started(): void
  /** mpv is done with it, though the device may still hold some sound. */
  ended(reason: string, error: string | undefined): void
  property(name: string, value: unknown): void
  deviceUnderrun(): void
}

export type Follower = Awaited<ReturnType<typeof followMpv>>

const OBSERVED = [
  'time-pos',
  'duration',
  'core-idle',
  'paused-for-cache',
  'current-ao',
  'eof-reached',
]
/** mpv has no property for this. */
const UNDERRUN = 'Audio device underrun detected'

export async function followMpv({ ipc }: MpvProcess, signals: Signals) {
  let wanted: number | undefined
  let active: number | undefined
  let unanswered = 0
  let early: MpvEvent[] = []

  function receive(event: MpvEvent) {
    // Events may overtake the reply that says which of them are meant.
    if (unanswered > 0) early.push(event)
    else handle(event)
  }

  function handle(event: MpvEvent) {
    const isWanted = active !== undefined && active === wanted
    if (event.event === 'start-file') active = event.playlist_entry_id
    if (event.event === 'log-message' && event.text?.includes(UNDERRUN)) signals.deviceUnderrun()
    if (!isWanted) return
    if (event.event === 'playback-restart') signals.started()
    if (event.event === 'end-file' && event.playlist_entry_id === wanted)
      signals.ended(event.reason ?? '', event.file_error)
    if (event.event !== 'property-change') return
    if (event.name === 'eof-reached' && event.data === true) signals.ended('eof', undefined)
    else signals.property(event.name ?? '', event.data)
  }

  ipc.onEvent(receive)
  await ipc.ask('request_log_messages', 'warn')
  for (const [index, name] of OBSERVED.entries()) await ipc.ask('observe_property', index + 1, name)

  return {
    /** Nothing that is still said about the source before is passed on. */
    forget() {
      wanted = undefined
    },

    /** `joins`: what plays is about to end, and this follows it without a gap. */
    async load(url: string, options: Record<string, string>, joins: boolean) {
      wanted = undefined
      unanswered += 1
      const flags = joins ? 'append-play' : 'replace'
      try {
        // Leaves what plays now, and nothing of what played before it.
        if (joins) await ipc.ask('playlist-clear')
        const reply = await ipc.askNamed({ name: 'loadfile', url, flags, options })
        wanted = (reply as { playlist_entry_id: number }).playlist_entry_id
      } finally {
        unanswered -= 1
        if (unanswered === 0) {
          const kept = early
          early = []
          for (const event of kept) handle(event)
        }
      }
    },
  }
}
