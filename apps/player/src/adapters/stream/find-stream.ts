import { guardedGet, isFinal, type Reply, readText, refused } from './guarded-get.ts'
import { looksLikePlaylist, readPlaylist } from './playlist.ts'

const MAX_PLAYLISTS = 3
const PLAYLIST_BYTES = 64 * 1024
/** Requests that finding a stream through playlists may take. */
const MOST_REQUESTS = 24

/** What is known of a station across connections. */
export type Past = {
  /** Connections in a row that sent something, and no sound. */
  undecoded: number
  /** The entry of its playlist that is tried next, and how many there are. */
  entry: number
  entries: number
}

export const noPast = (): Past => ({ undecoded: 0, entry: 0, entries: 1 })

/** What the station itself has said, whether it is final or not. */
export const isAnswer = (error: unknown) => error instanceof Error && 'status' in error

type Get = Parameters<typeof guardedGet>[1]
type Found = { reply: Reply } | { hls: string }
type Search = { get: Get; stall_ms: number; past: Past; left: number }

/** Follows M3U, PLS and XSPF files to a stream that they name: the first that answers. */
export const findStream = (
  url: string,
  get: Get,
  { stall_ms = get.timeout_ms, past = noPast() }: { stall_ms?: number; past?: Past } = {},
): Promise<Found> => follow(url, { get, stall_ms, past, left: MOST_REQUESTS }, 0)

async function follow(url: string, search: Search, depth: number): Promise<Found> {
  const { get, stall_ms, past } = search
  if (depth > MAX_PLAYLISTS || --search.left < 0)
    throw refused('playlists that only lead to playlists')
  const reply = await guardedGet(url, { ...get, headers: { 'icy-metadata': '1' } })
  if (reply.status !== 200) {
    reply.body.destroy()
    const reason = `the station answered ${reply.status}`
    const is4xx = reply.status >= 400 && reply.status < 500
    throw Object.assign(is4xx ? refused(reason) : new Error(reason), { status: reply.status })
  }
  if (!looksLikePlaylist(contentType(reply), reply.url)) return { reply }
  const playlist = readPlaylist(await readText(reply, PLAYLIST_BYTES, stall_ms), reply.url)
  if (playlist.kind === 'hls') return { hls: reply.url }
  const { urls } = playlist
  if (depth === 0) past.entries = urls.length
  return firstThatAnswers(rotated(urls, depth === 0 ? past.entry : 0), search, depth)
}

const rotated = (urls: string[], by: number) =>
  urls.map((_, index) => urls[(index + by) % urls.length] ?? '')

async function firstThatAnswers(urls: string[], search: Search, depth: number): Promise<Found> {
  let problem: unknown
  for (const url of urls) {
    try {
      return await follow(url, search, depth + 1)
    } catch (error) {
      search.get.signal.throwIfAborted()
      // One that may answer another time is worth trying again; refusals are not.
      if (problem === undefined || isFinal(problem)) problem = error
    }
  }
  throw problem
}

export const contentType = (reply: Reply) => reply.headers['content-type'] ?? ''
