const TYPES: [type: string, pattern: RegExp][] = [
  ['sha256', /^[0-9a-f]{64}$/i],
  ['sha1', /^[0-9a-f]{40}$/i],
  ['imphash', /^imphash[:=]\s?[0-9a-f]{32}$/i],
  ['md5', /^[0-9a-f]{32}$/i],
  ['url', /^[a-z][a-z0-9+.-]*:\/\//i],
  ['email', /^[^\s@]+@[^\s@]+\.[^\s@]+$/],
  ['cidr', /^[0-9a-f.:]+\/\d{1,3}$/i],
  ['ip', /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f.]*:[0-9a-f:.]+)$/i],
  ['cve', /^cve-\d{4}-\d{4,}$/i],
  ['domain', /^(?:[\w-]{1,63}\.)+[a-z][a-z0-9-]+$/i],
]

/** What an alert's indicator is, by its looks. */
export const observableType = (value: string): string =>
  TYPES.find(([, pattern]) => pattern.test(value))?.[0] ?? 'other'
