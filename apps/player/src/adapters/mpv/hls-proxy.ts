import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { guardedGet, type Reply, readText } from '../stream/guarded-get.ts'
import { rewriteHls } from '../stream/playlist.ts'

const TIMEOUT_MS = 10_000
const PLAYLIST_BYTES = 1024 * 1024

/** Fetches one playlist, segment or key. Addresses inside a playlist lead back here. */
export async function serveHls(name: string, response: ServerResponse, base: string) {
  const url = Buffer.from(name, 'base64url').toString()
  const ending = new AbortController()
  response.on('close', () => ending.abort())
  const reply = await guardedGet(url, { signal: ending.signal, timeout_ms: TIMEOUT_MS })
  if (reply.status !== 200) {
    reply.body.destroy()
    response.writeHead(reply.status >= 400 ? reply.status : 502).end()
    return
  }
  if (!isPlaylist(reply)) {
    response.writeHead(200, { 'content-type': reply.headers['content-type'] ?? '' })
    await pipeline(reply.body, response)
    return
  }
  const text = rewriteHls(await readText(reply, PLAYLIST_BYTES, TIMEOUT_MS), reply.url, (link) =>
    localFor(link, base),
  )
  response.writeHead(200, { 'content-type': 'application/vnd.apple.mpegurl' }).end(text)
}

/** The last part of the name stays readable: the demuxer looks at its ending. */
function localFor(link: string, base: string): string {
  const file = new URL(link).pathname
    .split('/')
    .at(-1)
    ?.replace(/[^\w.-]/g, '_')
  return `${base}/${Buffer.from(link).toString('base64url')}/${file || 'segment'}`
}

const isPlaylist = ({ url, headers }: Reply) =>
  /mpegurl/i.test(headers['content-type'] ?? '') || new URL(url).pathname.endsWith('.m3u8')
