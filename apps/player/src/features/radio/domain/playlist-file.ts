/** Stations named in an M3U, PLS or OPML text, in its order; the address may still be a bad one. */
export function stationsIn(text: string): { name: string; url: string }[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n|\r/)
  if (/<opml[\s>]/i.test(text)) return fromOpml(text)
  if (lines.some((line) => /^\s*\[playlist\]/i.test(line))) return fromPls(lines)
  return fromM3u(lines)
}

/** `#EXTINF:-1 tvg-id="x",Name` names the address on the next line. */
function fromM3u(lines: string[]) {
  const stations: { name: string; url: string }[] = []
  let name = ''
  for (const line of lines.map((raw) => raw.trim())) {
    if (/^#EXTINF:/i.test(line))
      name = line.slice(line.lastIndexOf('",') + 1).replace(/^[^,]*,/, '')
    if (line === '' || line.startsWith('#')) continue
    stations.push({ name: name.trim() || hostOf(line), url: line })
    name = ''
  }
  return stations
}

function fromPls(lines: string[]) {
  const entries = new Map<string, string>()
  for (const line of lines) {
    const [, key, value] = /^\s*(\w+?\d+)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (key && value) entries.set(key.toLowerCase(), value)
  }
  return [...entries]
    .filter(([key]) => key.startsWith('file'))
    .map(([key, url]) => ({ name: entries.get(key.replace('file', 'title')) ?? hostOf(url), url }))
}

function fromOpml(text: string) {
  return [...text.matchAll(/<outline\b[^>]*>/gi)].flatMap(([outline]) => {
    const attribute = (name: string) =>
      decodeXml(new RegExp(`\\b${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(outline))
    const url = attribute('URL') || attribute('xmlUrl')
    return url ? [{ name: attribute('text') || attribute('title') || hostOf(url), url }] : []
  })
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decodeXml(match: RegExpExecArray | null): string {
  const raw = match?.[1] ?? match?.[2] ?? ''
  return raw.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? '')
}

const hostOf = (url: string) => URL.parse(url)?.hostname || url.slice(0, 60)
