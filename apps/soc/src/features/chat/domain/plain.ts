import { visible } from './fence.ts'

/** Text from outside inside an answer: one line, nothing in it is a link, an image or markup. */
export function plain(text: string, most = 200): string {
  const line = visible(text).replace(/\s+/g, ' ').trim()
  const short = line.length > most ? `${line.slice(0, most)}…` : line
  return short.replace(/[\\`*_[\]()<>|!#~]/g, '\\$&').replace(/:\/\//g, ':\\//')
}

export const linkTo = (kind: 'alerts' | 'cases' | 'siem/logs', id: string, text: string) =>
  `[${plain(text, 120)}](/api/v1/${kind}/${encodeURIComponent(id)})`

const LINK = /!?\[([^\]]{0,300})\]\(([^)]{0,500})\)/g
const OWN = /^\/api\/v1\/(alerts|cases|siem\/logs)\/[\w%.-]+$/

/**
 * A line that a model wrote, kept only when it names a record that was shown and none that was not.
 * Links lead to our own records; images, markup and other addresses become text.
 */
export function keepCited(line: string, shown: ReadonlySet<string>): string | undefined {
  const named = [...line.matchAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi)].map(([id]) =>
    id.toLowerCase(),
  )
  const bracketed = [...line.matchAll(/\[([\w.:-]{1,200})\](?!\()/g)].map(([, id = '']) => id)
  const cited = [...named, ...bracketed]
  if (cited.length === 0 || !cited.every((id) => shown.has(id))) return undefined
  return visible(line)
    .replace(LINK, (whole, text: string, address: string) =>
      !whole.startsWith('!') && OWN.test(address) ? whole : text,
    )
    .replace(/</g, '\\<')
    .replace(/\b(\w+):\/\//g, '$1:\\//')
}
