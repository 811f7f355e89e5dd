import type { AudioOutput } from '../../ports/audio-output.ts'
import type { Effect } from './domain/machine.ts'
import type { createGap } from './gap.ts'

type DeviceDeps = {
  audio: AudioOutput
  gap: ReturnType<typeof createGap>
  /** The absolute path of a file on the card; throws 400 naming `path`. */
  resolve(relativePath: string): Promise<string>
  /** What the person chose, under the limit. */
  ownVolume(): number
  beforeStop(): void
  onLoad(): void
}

/** Carries out what the machine has decided. */
export function createDevice({ audio, gap, ...deps }: DeviceDeps) {
  let duration_ms = 0
  let loads = 0

  async function load({ track, position_ms, paused }: Extract<Effect, { do: 'load' }>) {
    const source =
      track.kind === 'stream'
        ? track
        : { kind: 'file' as const, path: await deps.resolve(track.path) }
    begin()
    await audio.load(source, { position_ms, paused })
    duration_ms = audio.snapshot().duration_ms
  }

  function begin() {
    deps.onLoad()
    loads += 1
  }

  async function execute(effect: Effect): Promise<void> {
    switch (effect.do) {
      case 'load':
        return load(effect)
      case 'announce':
        begin()
        return audio.load({ kind: 'file', path: effect.file })
      case 'seek':
        return audio.seek(effect.position_ms)
      case 'pause':
        return audio.pause()
      case 'resume':
        return audio.resume()
      case 'stop':
        deps.beforeStop()
        return audio.stop()
      case 'silence':
        return audio.stop()
      case 'own-volume':
        return audio.setVolume(deps.ownVolume())
      case 'start-gap':
        return gap.start(effect.seconds)
      case 'freeze-gap':
        return gap.freeze()
      case 'thaw-gap':
        return gap.thaw()
      case 'end-gap':
        return gap.end()
    }
  }

  return {
    execute,
    /** Tells what was heard of one source from what was heard of the next. */
    loads: () => loads,
    /** Of the last track; outlives its end, for the silence after it. */
    duration_ms: () => duration_ms,
  }
}
