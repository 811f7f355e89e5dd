import type { Logger } from '@manara/kit/logging'
import type { AudioOutput } from '../../ports/audio-output.ts'
import type { Clock } from '../../ports/clock.ts'
import type { SettingsStore } from './settings.store.ts'

export type AwaitSoundDeps = {
  audio: Pick<AudioOutput, 'useOutput'>
  clock: Pick<Clock, 'every'>
  settings: Pick<SettingsStore, 'read'>
  /** True when there is a device now. */
  findDevice(): boolean
  onFound(): void
  log: Pick<Logger, 'info' | 'warn'>
}

const LOOK_MS = 5_000

/**
 * A loudspeaker that was plugged in or switched on after the box: from then on sound goes there, unless
 * the owner has chosen where, which is waited for by itself.
 */
export function awaitSound({ audio, clock, settings, log, ...deps }: AwaitSoundDeps): () => void {
  const end = clock.every(LOOK_MS, () => {
    if (!deps.findDevice()) return
    end()
    log.info('a sound device is there now')
    deps.onFound()
    if (settings.read('audio_output') !== 'auto') return
    audio.useOutput('auto').catch((error) => log.warn({ err: error }, 'the sound device'))
  })
  return end
}
