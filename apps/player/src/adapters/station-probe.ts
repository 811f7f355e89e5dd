import { timeLimit } from '@manara/kit/after-steps'
import type { AudioOutput } from '../ports/audio-output.ts'
import type { ProbeStation, StationFinding } from '../ports/station-probe.ts'
import { NO_HLS, NO_STREAM_OF_KIND } from './embedded/decodable-kind.ts'
import { findStream } from './stream/find-stream.ts'

const PATIENCE_MS = 8_000
// What stations send that are really there; servers that know no type send the second.
const SOUND = /^(audio\/|application\/(ogg|octet-stream)\b|video\/mp2t)/i

// What only mpv decodes.
const FOR_MPV = /^(audio\/(x-)?(aac|aacp|mp4|m4a)|video\/mp2t)$/i

/** Connects as playing with that engine would, reads the headers, and lets go. */
export const createStationProbe =
  (engine: AudioOutput['engine']): ProbeStation =>
  async (url) => {
    using limit = timeLimit(PATIENCE_MS)
    const { signal } = limit
    try {
      const found = await findStream(url, { signal, timeout_ms: PATIENCE_MS })
      if ('hls' in found) {
        if (engine === 'embedded') return { playable: false, reason: NO_HLS }
        return {
          playable: true,
          content_type: 'application/vnd.apple.mpegurl',
          name: '',
          bitrate: 0,
        }
      }
      const { headers, body } = found.reply
      body.destroy()
      return judge(engine, headers['content-type'] ?? '', {
        name: readable(headers['icy-name']),
        bitrate: Number.parseInt(String(headers['icy-br'] ?? ''), 10) || 0,
      })
    } catch (error) {
      const reason = signal.aborted ? 'no answer within 8 seconds' : (error as Error).message
      return { playable: false, reason }
    }
  }

function judge(
  engine: AudioOutput['engine'],
  type: string,
  station: { name: string; bitrate: number },
): StationFinding {
  const content_type = type.split(';')[0]?.trim() ?? ''
  if (engine === 'embedded' && FOR_MPV.test(content_type))
    return { playable: false, reason: NO_STREAM_OF_KIND }
  if (content_type === '' || SOUND.test(content_type)) {
    return { playable: true, content_type, ...station }
  }
  return { playable: false, reason: `it sends ${content_type}, which is no sound` }
}

/** Headers come as Latin-1; stations write UTF-8 into them. */
function readable(header: string | string[] | undefined): string {
  const text = Buffer.from(String(header ?? ''), 'latin1').toString('utf8')
  return text
    .replace(/[\p{Cc}\uFFFD]/gu, '')
    .trim()
    .slice(0, 200)
}
