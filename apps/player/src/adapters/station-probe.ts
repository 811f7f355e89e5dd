import type { ProbeStation, StationFinding } from '../ports/station-probe.ts'
import { findStream } from './stream/find-stream.ts'

const PATIENCE_MS = 8_000
// What stations send that are really there; servers that know no type send the second.
const SOUND = /^(audio\/|application\/(ogg|octet-stream)\b|video\/mp2t)/i

/** Connects as playing would, reads the headers, and lets go. */
export const probeStation: ProbeStation = async (url) => {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  try {
    const found = await findStream(url, { signal, timeout_ms: PATIENCE_MS })
    if ('hls' in found) {
      return { playable: true, content_type: 'application/vnd.apple.mpegurl', name: '', bitrate: 0 }
    }
    const { headers, body } = found.reply
    body.destroy()
    return judge(headers['content-type'] ?? '', {
      name: readable(headers['icy-name']),
      bitrate: Number.parseInt(String(headers['icy-br'] ?? ''), 10) || 0,
    })
  } catch (error) {
    const reason = signal.aborted ? 'no answer within 8 seconds' : (error as Error).message
    return { playable: false, reason }
  }
}

function judge(type: string, station: { name: string; bitrate: number }): StationFinding {
  const content_type = type.split(';')[0]?.trim() ?? ''
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
