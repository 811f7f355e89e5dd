const LONGEST_NUMBER = 20
// Lower than what goes on with a dot, and a trial version is lower still: 2.0-rc1, 2.0, 2.0.1.
const TRIAL_END = '!'
const END = '-'

/** The version spelled so that the order of the bytes is the order in which versions came. */
export function versionKey(version: string): string {
  const text = version
    .trim()
    .toLowerCase()
    .replace(/^v(?=\d)/, '')
    // What a build adds (RFC of semantic versions: `+`) does not make it newer.
    .replace(/\+.*$/, '')
  const [, release = '', trial = ''] =
    /^(.*?)(?:[-~._]?(?=(?:alpha|beta|rc|pre|dev|snapshot|test)(?![a-z]))(.*))?$/s.exec(text) ?? []
  const parts = partsOf(release)
  while (parts.length > 1 && /^0+$/.test(parts.at(-1) ?? '')) parts.pop()
  return parts.join('.') + (trial === '' ? END : TRIAL_END + partsOf(trial).join('.'))
}

const partsOf = (text: string) =>
  (text.match(/\d+|[^\d\s._-]+/g) ?? []).map((part) =>
    /^\d/.test(part) ? part.replace(/^0+(?=\d)/, '').padStart(LONGEST_NUMBER, '0') : part,
  )
