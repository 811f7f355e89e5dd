import type { KeyObject } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { AppError, invalid } from '@manara/kit/errors'
import type { Logger } from '@manara/kit/logging'
import type { BootRecord, Slot } from '@manara/player-contract/firmware'
import type { OtaStatus } from '@manara/player-contract/ota'
import { afterReply } from '../../http/after-reply.ts'
import { untilStalled } from '../../http/until-stalled.ts'
import type { Clock } from '../../ports/clock.ts'
import type { UpdateSource } from '../../ports/update-source.ts'
import { type Host, whyNotHere } from './domain/admission.ts'
import { installImage } from './install-image.ts'
import { readImage } from './read-image.ts'
import { receiveImage, verifyImage } from './receive-image.ts'
import { refusal } from './refusal.ts'
import type { Slots } from './slots.ts'

export type UpdaterDeps = {
  slots: Slots
  keys(): KeyObject[]
  host: Host
  source: UpdateSource
  clock: Clock
  log: Pick<Logger, 'info' | 'warn'>
  /** What the launcher has started. Without one images are checked and no more: nobody could switch. */
  slot: Slot | undefined
  restart(): void
  onChange(status: OtaStatus): void
}

export type Updater = ReturnType<typeof createUpdater>
type Chunks = AsyncIterable<Uint8Array>
type Wish = { mode: 'pull' | 'upload'; allowDowngrade: boolean }

const PATIENCE = {
  // An image of a few megabytes would not be whole in time at this pace, and keeps others waiting.
  ...{ silenceMs: 30_000, leastBytes: 64 * 1024, totalMs: 30 * 60_000 },
  silent: (seconds: number) => new Error(`was cut off: next to nothing came for ${seconds} s`),
}

/** One update at a time, from its first byte to the restart. */
export function createUpdater(deps: UpdaterDeps) {
  const { clock, slots } = deps
  let current = statusAfterBoot(slots.readRecord(), deps.slot)

  function show(change: Partial<OtaStatus>) {
    const next = { ...current, ...change }
    const isNews = next.status !== current.status || next.progress !== current.progress
    current = next
    if (isNews) deps.onChange(current)
  }

  function begin(mode: Wish['mode']) {
    if (current.in_progress) throw invalid('update', `one is already under way: ${current.status}`)
    const status = mode === 'pull' ? 'downloading' : 'receiving'
    show({ in_progress: true, progress: 0, mode, status, error: '' })
  }

  function fail(error: unknown): AppError {
    const told = refusal(error)
    deps.log.warn({ err: error }, 'update refused')
    show({ in_progress: false, mode: 'idle', status: 'failed', progress: 0, error: told.message })
    return told
  }

  async function install(body: Chunks, { mode, allowDowngrade }: Wish): Promise<OtaStatus> {
    const chunks = untilStalled(body, clock, PATIENCE)
    try {
      const image = await readImage(chunks, deps.keys())
      const { manifest } = image
      const obstacle = whyNotHere(manifest, deps.host, allowDowngrade)
      if (obstacle) throw new Error(obstacle)
      await receiveImage(image, slots.incoming, (share) =>
        show({ progress: percent(0, 70, share) }),
      )
      show({ status: 'verifying', progress: 70 })
      await verifyImage(slots.incoming, manifest)
      if (!deps.slot) throw new AppError(500, NO_LAUNCHER)
      show({ status: 'installing' })
      await installImage(slots, { file: slots.incoming, manifest, mode }, (share) =>
        show({ progress: percent(70, 99, share) }),
      )
      await rm(slots.incoming, { force: true })
      show({ status: 'rebooting', progress: 100 })
      deps.log.info({ version: manifest.version }, 'update installed: restarting')
      afterReply(clock, deps.restart)
      return current
    } catch (error) {
      // A disk that has begun to only read keeps it: the next start removes it.
      await rm(slots.incoming, { force: true }).catch(() => {})
      throw fail(error)
    } finally {
      // Whoever still sends what nobody reads is let go.
      await chunks.return(undefined)
    }
  }

  return {
    status: () => current,

    /** Resolves when the image is installed. `length` is what the sender says it sends. */
    async upload(body: Chunks, length: number | undefined, allowDowngrade: boolean) {
      begin('upload')
      const most = deps.host.limit.packed
      if (length !== undefined && length > most + 8192) {
        throw fail(new Error(`is larger than the ${most >> 20} MiB this box takes`))
      }
      return install(body, { mode: 'upload', allowDowngrade })
    },

    /** Resolves when the server has begun to send; the rest is told by events. */
    async pull(url: string, allowDowngrade: boolean): Promise<OtaStatus> {
      begin('pull')
      try {
        const body = await deps.source.open(url)
        // Its failure has been told when it rejects.
        void install(body, { mode: 'pull', allowDowngrade }).catch(() => {})
        return current
      } catch (error) {
        throw fail(invalid('url', (error as Error).message))
      }
    },

    /** How the version that runs has proven itself. */
    proven() {
      show({ in_progress: false, mode: 'idle', status: 'success', progress: 100, error: '' })
    },
  }
}

const NO_LAUNCHER =
  'update: the image is good, but this player was started without the launcher, which alone can switch versions'

const percent = (from: number, to: number, share: number) =>
  Math.floor(from + (to - from) * Math.min(1, share))

function statusAfterBoot({ pending, last }: BootRecord, slot: Slot | undefined): OtaStatus {
  if (pending && pending.slot === slot) {
    const { mode } = pending
    return { in_progress: true, progress: 100, mode, status: 'pending_confirm', error: '' }
  }
  if (pending && slot) {
    const error = `${pending.version} was not started: the disk is full or read-only. Make room and start the box again`
    return { in_progress: false, progress: 0, mode: 'idle', status: 'failed', error }
  }
  const progress = last?.status === 'success' ? 100 : 0
  const { status = 'idle', error = '' } = last ?? {}
  return { in_progress: false, progress, mode: 'idle', status, error }
}
