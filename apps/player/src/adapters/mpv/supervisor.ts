import { setTimeout as sleep } from 'node:timers/promises'
import type { MpvProcess } from './process.ts'

export type Watch = {
  /** How often it is asked whether it is well, and how long it may take to say so. */
  ping_ms: number
  patience_ms: number
}

export type SupervisorOptions = {
  start(): Promise<MpvProcess>
  /** A new process stands in for the one before. */
  onRestart(process: MpvProcess): void
  /** It dies faster than it can be restarted. */
  onLost(reason: string): void
  watch?: Partial<Watch>
}

const DEFAULTS: Watch = { ping_ms: 500, patience_ms: 1500 }
/** A process that lived this long did not die of what it was started with. */
const STABLE_MS = 10_000
const RESTARTS = 3

/** Keeps one mpv alive: one that ended is started again, one that hangs is ended first. */
export async function superviseMpv({ start, onRestart, onLost, watch }: SupervisorOptions) {
  const { ping_ms, patience_ms } = { ...DEFAULTS, ...watch }
  let current = await start()
  let closed = false
  let lost = false
  let deaths = 0

  async function guard(guarded: MpvProcess) {
    const born = performance.now()
    const ended = new AbortController()
    void ping(guarded, ended.signal)
    const reason = await guarded.exited
    ended.abort()
    if (closed) return
    deaths = performance.now() - born > STABLE_MS ? 1 : deaths + 1
    await revive(reason)
  }

  async function revive(reason: string) {
    let why = reason
    while (deaths <= RESTARTS) {
      try {
        current = await start()
        if (closed) return current.kill()
        onRestart(current)
        return void guard(current)
      } catch (error) {
        why = (error as Error).message
        deaths += 1
      }
    }
    lost = true
    if (!closed) onLost(`mpv ended and could not be restarted: ${why}`)
  }

  /** A stopped or wedged process holds its socket open and never answers. */
  async function ping(guarded: MpvProcess, signal: AbortSignal) {
    while (!signal.aborted) {
      const isWell = await guarded.ipc.answersWithin(patience_ms)
      if (!isWell && !signal.aborted) guarded.kill()
      await sleep(ping_ms, undefined, { signal }).catch(() => {})
    }
  }

  void guard(current)

  return {
    process: () => current,
    lost: () => lost,
    /** After `lost`: one more chance. */
    async restart() {
      current = await start()
      deaths = 0
      lost = false
      void guard(current)
      return current
    },
    async close() {
      closed = true
      const last = current
      const dead = sleep(1000, 'slow', { ref: false })
      void last.ipc.ask('quit').catch(() => {})
      if ((await Promise.race([last.exited, dead])) === 'slow') last.kill()
      await last.exited
    },
  }
}
