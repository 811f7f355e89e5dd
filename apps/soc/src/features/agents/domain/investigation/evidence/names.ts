/** The program without its folder, as all names of programs are compared. */
export function programOf(path: string): string {
  const cut = Math.max(path.lastIndexOf('\\'), path.lastIndexOf('/'))
  return path.slice(cut + 1).toLowerCase()
}

/** Forwarders write a host with and without its domain: the first label tells it. */
export function hostOf(name: string | null | undefined): string {
  const text = (name ?? '').trim()
  if (/^[\d.]+$/.test(text) || text.includes(':')) return text
  return (text.split('.', 1)[0] ?? '').toUpperCase()
}

const NOBODY = new Set([
  '',
  '-',
  'system',
  'local service',
  'network service',
  'anonymous logon',
  'iusr',
  'n/a',
  '(null)',
  'healthmailbox',
])

/** The account without its domain; empty for machines and services, which nobody is. */
export function personOf(account: string | null | undefined): string {
  const [name = ''] = (account ?? '').split('\\').at(-1)?.split('@') ?? []
  const person = name.trim().toLowerCase()
  const isService = person.endsWith('$') || NOBODY.has(person) || /^(dwm|umfd)-\d+$/.test(person)
  return isService ? '' : person
}

/** Numbers come as decimals and as `0x1fffff`. */
export function numberOf(text: string): number {
  return Number(text) || 0
}

/** Of `C:\Users\<whose>\…`: empty outside of profiles and in those of everybody. */
export function ownerOfPath(path: string): string {
  const folded = path.toLowerCase()
  const at = folded.indexOf('\\users\\')
  if (at < 0) return ''
  const rest = folded.slice(at + 7)
  const end = rest.indexOf('\\')
  const owner = end < 0 ? '' : rest.slice(0, end)
  return ['public', 'default', 'default user', 'all users'].includes(owner) ? '' : owner
}
