import type { Http } from '@manara/kit/http'
import { ModeBody, ModeReport } from '@manara/player-contract/mode'
import {
  PlayBody,
  PlaybackResult,
  PlaybackStatus,
  SeekBody,
  SpeedBody,
  VolumeBody,
  VolumeResult,
} from '@manara/player-contract/playback'
import type { Tracks } from './find-track.ts'
import type { Player } from './player.ts'

export type PlaybackDeps = { player: Player; tracks: Pick<Tracks, 'file' | 'stream'> }

const tags = ['playback']
const result = { 200: PlaybackResult }

export function playbackRoutes(http: Http, { player, tracks }: PlaybackDeps) {
  http.get(
    '/playback/status',
    {
      schema: { tags, summary: 'What plays, and how far it is', response: { 200: PlaybackStatus } },
    },
    () => player.status(),
  )

  http.post(
    '/playback/play',
    { schema: { tags, summary: 'Play a file or a stream', body: PlayBody, response: result } },
    async ({ body }) => {
      const { url, path = '' } = body
      const played = await player.play(url ? tracks.stream(url) : () => tracks.file(path))
      return { success: true, ...played } as const
    },
  )

  for (const [type, summary] of [
    ['pause', 'Pause, also in the silence of a hifz mode'],
    ['resume', 'Go on after a pause'],
    ['stop', 'Stop and keep the place'],
    ['next', 'Play the next surah of the reciter that is on the card'],
    ['prev', 'Play the previous surah of the reciter that is on the card'],
  ] as const) {
    http.post(
      `/playback/${type}`,
      { schema: { tags, summary, response: result } },
      async () => ({ success: true, ...(await player.command({ type })) }) as const,
    )
  }

  http.post(
    '/playback/resume-saved',
    { schema: { tags, summary: 'Go on where playback was', response: result } },
    async () => ({ success: true, ...(await player.resumeSaved()) }) as const,
  )

  http.post(
    '/playback/seek',
    { schema: { tags, summary: 'Move within the file', body: SeekBody, response: result } },
    async ({ body }) => {
      const { position, verse } = body
      const status = await player.command(
        verse === undefined
          ? { type: 'seek', position_ms: position ?? 0 }
          : { type: 'seek-verse', verse },
      )
      return { success: true, ...status } as const
    },
  )

  http.post(
    '/playback/speed',
    {
      schema: {
        tags,
        summary: 'How fast files play, at the same pitch',
        body: SpeedBody,
        response: result,
      },
    },
    async ({ body }) => ({ success: true, ...(await player.setSpeed(body.speed)) }) as const,
  )

  http.post(
    '/playback/volume',
    {
      schema: {
        tags,
        summary: 'Set the volume; the reply tells what was applied under the limit',
        body: VolumeBody,
        response: { 200: VolumeResult },
      },
    },
    async ({ body }) => ({ success: true, volume: await player.setVolume(body.volume) }) as const,
  )

  http.get(
    '/playback/mode',
    { schema: { tags, summary: 'What happens at the end', response: { 200: ModeReport } } },
    () => player.modeReport(),
  )

  http.post(
    '/playback/mode',
    {
      schema: {
        tags,
        summary: 'Choose what happens at the end of a track',
        body: ModeBody,
        response: result,
      },
    },
    async ({ body }) => ({ success: true, ...(await player.setMode(body)) }) as const,
  )
}
