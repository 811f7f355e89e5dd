import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import type { AudioOutput } from '../ports/audio-output.ts'
import type { SinkName } from './embedded/sinks/sink.ts'
import { createEmbeddedAudio } from './embedded-audio.ts'
import { createMpvAudio, mpvOutput } from './mpv-audio.ts'

export type AudioChoice = {
  engine: 'auto' | 'embedded' | 'mpv'
  /** `auto`, `aplay`, `pw-cat`, `null`, `alsa:<device>`, `pipewire:<node>`, or `capture:` and a file. */
  sink: string
  /** What this machine has; a test stands in for it. */
  machine?: Machine
}

export type Machine = {
  hasProgram(name: string): boolean
  hasSoundCard(): boolean
  hasPipewire(): boolean
}

export type ChosenOutput = {
  output: AudioOutput
  fallbacks: string[]
  /** Where no device was found, which is the first of them: true when there is one now, for `auto`. */
  findDevice: (() => boolean) | undefined
}

type Found = 'aplay' | 'pw-cat'

/** mpv's name for what each of our sinks stands for. */
const MPV_OUTPUT: Partial<Record<string, string>> = {
  aplay: 'alsa',
  'pw-cat': 'pipewire',
  null: 'null',
}

const mpvDriver = (name: Found | 'null') => MPV_OUTPUT[name] ?? 'null'

const EMBEDDED_INSTEAD = 'playing with the embedded engine'
const NULL_INSTEAD = 'sound goes to the null sink'

/**
 * The engine and sink that were asked for, or the nearest to them that this machine has. Each thing
 * that was asked for and not had is one sentence in `fallbacks`.
 */
export async function createAudioOutput({
  engine,
  sink,
  machine = thisMachine,
}: AudioChoice): Promise<ChosenOutput> {
  const fallbacks: string[] = []
  let findDevice: ChosenOutput['findDevice']
  const mpv = await openMpv()
  return { output: mpv ?? openEmbedded(), fallbacks, findDevice }

  async function openMpv(): Promise<AudioOutput | undefined> {
    if (engine === 'embedded') return undefined
    const refuse = (reason: string) => {
      if (engine === 'mpv') fallbacks.push(`${reason}; ${EMBEDDED_INSTEAD}`)
      return undefined
    }
    if (sink.startsWith('capture:')) return refuse('mpv cannot capture its output')
    if (!machine.hasProgram('mpv')) return refuse('mpv is not installed')
    const before = fallbacks.length
    // Where `auto` leads to, read each time that is chosen.
    const output = mpvOutput(sink) ?? { ao: mpvDriver(chooseSink(() => true, useDevice)) }
    function useDevice(found: Found) {
      output.ao = mpvDriver(found)
    }
    try {
      return await createMpvAudio(output)
    } catch (error) {
      fallbacks.length = before
      findDevice = undefined
      fallbacks.push(`${(error as Error).message}; ${EMBEDDED_INSTEAD}`)
      return undefined
    }
  }

  function openEmbedded(): AudioOutput {
    // Where `auto` leads to, read each time that is chosen.
    const options: { sink: SinkName } = { sink: 'null' }
    const useDevice = (found: SinkName) => {
      options.sink = found
    }
    const isNamed = /^(capture|alsa|pipewire):/.test(sink)
    useDevice(isNamed ? namedSink() : chooseSink(machine.hasProgram, useDevice))
    return createEmbeddedAudio(options)
  }

  /** One output and no other: without it there is no sound, and its owner is told. */
  function namedSink(): SinkName {
    const program = sink.startsWith('alsa:') ? 'aplay' : 'pw-cat'
    if (sink.startsWith('capture:') || machine.hasProgram(program)) return sink as SinkName
    fallbacks.push(`${program} not installed; ${NULL_INSTEAD}`)
    return 'null'
  }

  /** mpv needs no program beside it to reach a device, the embedded engine does. */
  function chooseSink(
    hasProgram: (name: string) => boolean,
    useDevice: (found: Found) => void,
  ): Found | 'null' {
    if (sink === 'null') return 'null'
    // PipeWire first: where it runs, it holds the card.
    const names: Found[] = sink === 'aplay' || sink === 'pw-cat' ? [sink] : ['pw-cat', 'aplay']
    const withDevice = names.filter(hasDevice)
    const found = withDevice.find(hasProgram)
    if (found) return found
    if (withDevice.length > 0) {
      fallbacks.push(`${withDevice.join(' and ')} not installed; ${NULL_INSTEAD}`)
      return 'null'
    }
    fallbacks.unshift(
      `no sound device found${sink === names[0] ? ` for ${sink}` : ''}; ${NULL_INSTEAD}`,
    )
    const usable = names.filter(hasProgram)
    findDevice = () => {
      const later = usable.find(hasDevice)
      if (later) useDevice(later)
      return later !== undefined
    }
    return 'null'
  }

  function hasDevice(name: Found): boolean {
    return name === 'aplay' ? machine.hasSoundCard() : machine.hasPipewire()
  }
}

const thisMachine: Machine = {
  hasProgram: (name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).error === undefined,
  hasSoundCard() {
    // The file stays when the last card goes, and then says so.
    const cards = existsSync('/proc/asound/cards') ? readFileSync('/proc/asound/cards', 'utf8') : ''
    return /^\s*\d+ \[/m.test(cards)
  },
  hasPipewire: () =>
    [`/run/user/${process.getuid?.()}/pipewire-0`, '/run/pipewire/pipewire-0'].some((path) =>
      existsSync(path),
    ),
}
