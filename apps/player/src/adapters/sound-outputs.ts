import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SoundOutput, SoundOutputs } from '../ports/sound-outputs.ts'
import type { RunCommand } from './run-command.ts'

const PATIENCE_MS = 2000

/** Sound cards as the kernel tells them, and the sinks of PipeWire where it runs. */
export function createSoundOutputs(root: string, run: RunCommand): SoundOutputs {
  let known: SoundOutput[] = []
  const read = (name: string) => readFile(join(root, 'proc/asound', name), 'utf8').catch(() => '')

  return {
    known: () => known,
    async look() {
      const [cards, devices, dump] = await Promise.all([
        read('cards'),
        read('pcm'),
        run('pw-dump', [], { timeoutMs: PATIENCE_MS }),
      ])
      known = [...pipewireSinks(dump.stdout), ...alsaDevices(cards, devices)]
      return known
    },
  }
}

/** ` 1 [vc4hdmi ]: vc4-hdmi - vc4-hdmi` and `01-00: MAI PCM i2s-hifi-0 : … : playback 1`. */
export function alsaDevices(cards: string, devices: string): SoundOutput[] {
  const names = new Map(
    [...cards.matchAll(/^\s*(\d+) \[(\S+)\s*\]: .*? - (.+)$/gm)].map(
      ([, number, id = '', name = '']) => [Number(number), { id, name }],
    ),
  )
  return [...devices.matchAll(/^(\d+)-(\d+): (.*?) :.*playback/gm)].flatMap(
    ([, number, device, title]) => {
      const card = names.get(Number(number))
      // By the name of the card: its number changes with the order in which cards come.
      return card
        ? {
            id: `alsa:plughw:CARD=${card.id},DEV=${Number(device)}`,
            name: `${card.name}: ${title}`,
          }
        : []
    },
  )
}

type Node = { info?: { props?: Record<string, unknown> } }

export function pipewireSinks(dump: string): SoundOutput[] {
  try {
    return (JSON.parse(dump) as Node[]).flatMap(({ info }) => {
      const { props = {} } = info ?? {}
      if (props['media.class'] !== 'Audio/Sink') return []
      const node = String(props['node.name'])
      return { id: `pipewire:${node}`, name: String(props['node.description'] ?? node) }
    })
  } catch {
    return []
  }
}
