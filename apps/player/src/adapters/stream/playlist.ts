export type Playlist = { kind: 'hls' } | { kind: 'links'; urls: string[] }

const TYPES = /mpegurl|scpls|x-pls|xspf/i
const NAMES = /\.(m3u8?|pls|xspf)$/i

export function looksLikePlaylist(contentType: string, url: string): boolean {
  if (TYPES.test(contentType)) return true
  // Some stations send sound from an address that ends in .m3u; then the type says so.
  return NAMES.test(new URL(url).pathname) && !/^(audio|video)\/(?!x-mpegurl)/i.test(contentType)
}

/** Reads M3U, PLS and XSPF, every stream in it; throws when there is nothing to play in it. */
export function readPlaylist(text: string, base: string): Playlist {
  const lines = text.split(/\r\n|\n|\r/).map((line) => line.trim())
  if (lines.some((line) => line.startsWith('#EXT-X-'))) return { kind: 'hls' }
  const urls = linksIn(text, lines).flatMap((link) => (link && URL.parse(link, base)?.href) || [])
  if (urls.length === 0) throw new Error('the playlist names no stream')
  return { kind: 'links', urls: [...new Set(urls)] }
}

function linksIn(text: string, lines: string[]): string[] {
  if (/<playlist[\s>]/i.test(text))
    return Array.from(text.matchAll(/<location>([^<]*)<\/location>/gi), ([, link = '']) =>
      link.trim().replaceAll('&amp;', '&'),
    )
  if (lines.some((line) => /^\[playlist\]$/i.test(line)))
    return lines.map((line) => /^File\d+\s*=\s*(.+)$/i.exec(line)?.[1] ?? '')
  return lines.filter((line) => !line.startsWith('#'))
}

/** The same playlist with every address in it, tags included, replaced by what `rewrite` makes of it. */
export function rewriteHls(text: string, base: string, rewrite: (url: string) => string): string {
  const replaced = (link: string) => rewrite(new URL(link, base).href)
  return text
    .split(/\r\n|\n|\r/)
    .map((line) => {
      if (line.startsWith('#'))
        return line.replace(/\bURI="([^"]*)"/g, (_, link) => `URI="${replaced(link)}"`)
      return line.trim() === '' ? '' : replaced(line.trim())
    })
    .join('\n')
}
