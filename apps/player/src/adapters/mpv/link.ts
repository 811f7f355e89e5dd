import { setTimeout as sleep } from 'node:timers/promises'
import { type Follower, followMpv, type Signals } from './follower.ts'
import { type MpvProcess, startMpv } from './process.ts'
import { superviseMpv, type Watch } from './supervisor.ts'

export type Output = { ao?: string | undefined; device?: string | undefined }

export type LinkOptions = {
  output: Output
  /** In percent, for a process that begins. */
  volume(): number
  signals: Signals
  /** Another process has taken the place of one that died. */
  onRestarted(): Promise<void>
  onLost(reason: string): void
  command?: string | undefined
  watch?: Partial<Watch> | undefined
}

export type Link = Awaited<ReturnType<typeof linkMpv>>

/** How often, and how many times, the position is looked at until it stands still. */
const SETTLE_MS = 40
const SETTLE_LOOKS = 12

/** Whichever mpv process is alive: it is asked, told and followed, and replaced when it dies. */
export async function linkMpv({ signals, command, watch, ...options }: LinkOptions) {
  let { output } = options
  const supervisor = await superviseMpv({
    start: () => startMpv({ ...output, volume: options.volume(), ...(command && { command }) }),
    onRestart: (process) => void onRestart(process).catch(() => process.kill()),
    onLost: options.onLost,
    ...(watch && { watch }),
  })
  let follower: Follower = await followMpv(supervisor.process(), signals)

  async function onRestart(process: MpvProcess) {
    follower = await followMpv(process, signals)
    await options.onRestarted()
  }

  const ask = (...words: unknown[]) => supervisor.process().ipc.ask(...words)
  const known = (name: string) => ask('get_property', name).catch(() => undefined)

  /** A process that dies on the way is no failure: the next one is told everything anew. */
  async function tell(action: () => Promise<unknown>) {
    const asked = supervisor.process()
    try {
      await action()
    } catch (error) {
      if (asked.isAlive()) throw error
    }
  }

  return {
    ask,
    tell,
    load: (...asked: Parameters<Follower['load']>) => follower.load(...asked),
    forget: () => follower.forget(),
    /** The driver that mpv has opened; undefined when there is none. */
    device: () => known('current-ao'),
    /**
     * What mpv has made of a file. Nothing decoded of it though it has sound in it is silence. Its length
     * has to be asked for: of a file as long as the one before, mpv does not say that it has changed.
     */
    async findings() {
      const [params, aid, device, length] = await Promise.all(
        ['audio-params', 'aid', 'current-ao', 'duration'].map(known),
      )
      return {
        isSilent: params === undefined && typeof aid === 'number',
        device,
        duration_ms: typeof length === 'number' ? length * 1000 : 0,
      }
    },
    /** Nothing is there to be played next: of a device that stands still there would be. */
    isStarving: async () => !((await known('demuxer-cache-duration')) as number),
    isAlive: () => supervisor.process().isAlive(),
    pid: () => supervisor.process().pid,
    /** Another takes its place, and is told everything anew. */
    kill: () => supervisor.process().kill(),

    /** One that was given up gets a new chance. */
    async revive() {
      if (supervisor.lost()) follower = await followMpv(await supervisor.restart(), signals)
    },

    /** A driver that has no such device is chosen last, so that the usual one is not opened before. */
    async useOutput(wanted: Output) {
      output = wanted
      const { ao: driver = '', device: name } = wanted
      await tell(async () => {
        await ask('set_property', 'audio-device', name ? `${driver}/${name}` : 'auto')
        await ask('set_property', 'ao', driver)
      })
    },

    /** Where mpv has come to rest, in seconds: a device goes on for what it holds. */
    async restingAt(): Promise<unknown> {
      const position = () => known('audio-pts')
      let last = await position()
      for (let look = 0; look < SETTLE_LOOKS; look++) {
        await sleep(SETTLE_MS)
        const next = await position()
        if (next === last) break
        last = next
      }
      return last
    },

    close: supervisor.close,
  }
}
