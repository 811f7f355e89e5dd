import { ModeBody } from '@manara/player-contract/mode'
import { VolumeBody } from '@manara/player-contract/playback'

export type MqttCommand =
  | { do: 'play_pause' | 'pause' | 'resume' | 'stop' | 'next' | 'prev' | 'stop_adhan' }
  | { do: 'volume'; volume: number }
  | { do: 'mode'; mode: ModeBody }

const PLAIN = ['play_pause', 'pause', 'resume', 'stop', 'next', 'prev', 'stop_adhan'] as const

/** Undefined for what is no command, or not a valid one. */
export function readCommand(verb: string, payload: string): MqttCommand | undefined {
  const plain = PLAIN.find((known) => known === verb)
  if (plain) return { do: plain }
  if (verb === 'volume') {
    const body = VolumeBody.safeParse({
      volume: /^\d{1,3}$/.test(payload) ? Number(payload) : null,
    })
    return body.success ? { do: 'volume', volume: body.data.volume } : undefined
  }
  if (verb !== 'mode') return undefined
  const body = ModeBody.safeParse({ mode: payload })
  return body.success ? { do: 'mode', mode: body.data } : undefined
}
