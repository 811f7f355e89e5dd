type MentionType = 'id' | 'ip' | 'hash' | 'domain' | 'user' | 'host' | 'program' | 'technique'

export type Mention = { type: MentionType; value: string }

/** What a text names. Nothing in it is an instruction. */
export type Mentions = {
  /** In the order in which they stand there, each once. */
  all: Mention[]
  /** The first moment it names. */
  at: number | undefined
}

const LONGEST_WORD = 512
const MOST_MENTIONS = 60

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const IPV4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/
const IPV6 = /^[0-9a-f]{0,4}(:[0-9a-f]{0,4}){2,7}$/
const HASH = /^([0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/
const TECHNIQUE = /^t\d{4}(\.\d{3})?$/
const PROGRAM = /^[\w.-]{1,100}\.(exe|dll|ps1|bat|cmd|vbs|hta|sys|scr|jar|sh|py)$/
const DOMAIN = /^([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.){1,10}[a-z]{2,24}$/
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?$/i
const DAY = /^\d{4}-\d\d-\d\d$/
const CLOCK = /^\d\d:\d\d(:\d\d([.,]\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?$/i
/** As machines are called: with a digit or a dash, or all in capitals. */
const HOST = /^(?=.{2,63}$)(?=[a-z0-9-]*[a-z])(?=[A-Z0-9-]*[A-Z]|.*\d)[a-z0-9][a-z0-9-]*[a-z0-9]$/i

/** After these words stands a name, whatever it looks like. */
const NAMED: Record<string, MentionType> = {
  host: 'host',
  hostname: 'host',
  computer: 'host',
  endpoint: 'host',
  machine: 'host',
  workstation: 'host',
  server: 'host',
  user: 'user',
  username: 'user',
  account: 'user',
  alert: 'id',
  alert_id: 'id',
  case: 'id',
  case_id: 'id',
  log: 'id',
  log_id: 'id',
  event_id: 'id',
  id: 'id',
  process: 'program',
  image: 'program',
}

/** One pass over the words of the text; every test looks at one short word. */
export function readRequest(text: string): Mentions {
  const found = new Map<string, Mention>()
  const add = (type: MentionType, value: string) => {
    if (value === '' || found.size >= MOST_MENTIONS) return
    const key = `${type} ${value.toLowerCase()}`
    if (!found.has(key)) found.set(key, { type, value })
  }
  let at: number | undefined
  let name: MentionType | undefined
  let day: string | undefined
  for (const { word, isName } of wordsOf(text)) {
    if (isName) {
      name = NAMED[word.toLowerCase()] ?? undefined
      continue
    }
    at ??= momentIn(word, day)
    day = DAY.test(word) ? word : undefined
    const mention = mentionIn(word)
    if (mention && (mention.type !== 'host' || name === undefined)) {
      add(mention.type, mention.value)
    } else if (name && isPlainName(word)) {
      add(name, lastPart(word))
    }
    const key = word.toLowerCase()
    name = Object.hasOwn(NAMED, key) ? NAMED[key] : undefined
  }
  return { all: [...found.values()], at }
}

/** Blanks and brackets part words; `host=…`, `host:…` and `"host": …` name what follows. */
function* wordsOf(text: string): Generator<{ word: string; isName: boolean }> {
  for (const piece of text.replaceAll('\\\\', '\\').split(/[\s"'`<>(){}[\],;|]+/)) {
    if (piece === '' || piece.length > LONGEST_WORD) continue
    const mark = piece.search(/[=:]/)
    const before = mark > 0 ? piece.slice(0, mark) : ''
    if (mark > 0 && Object.hasOwn(NAMED, before.toLowerCase())) {
      yield { word: before, isName: true }
      const rest = trim(piece.slice(mark + 1))
      if (rest !== '') yield { word: rest, isName: false }
      continue
    }
    if (piece === ':' || piece === '=') continue
    const word = trim(piece)
    if (word !== '') yield { word, isName: false }
  }
}

/** What stands at the ends of words in sentences; the colon of an address is inside. */
const trim = (word: string) => word.replace(/^[.:!?*#]{1,8}/, '').replace(/[.:!?*#=]{1,8}$/, '')

function mentionIn(word: string): Mention | undefined {
  const folded = word.toLowerCase()
  if (UUID.test(folded)) return { type: 'id', value: folded }
  if (isIpv4(folded)) return { type: 'ip', value: folded }
  if (folded.includes('::') || folded.split(':').length > 5) {
    if (IPV6.test(folded)) return { type: 'ip', value: folded }
  }
  if (HASH.test(folded)) return { type: 'hash', value: folded }
  if (TECHNIQUE.test(folded)) return { type: 'technique', value: folded.toUpperCase() }
  const inAddress = hostOfUrl(folded)
  if (inAddress) {
    return isIpv4(inAddress)
      ? { type: 'ip', value: inAddress }
      : { type: 'domain', value: inAddress }
  }
  if (word.includes('\\')) return inPath(word)
  if (PROGRAM.test(folded)) return { type: 'program', value: folded }
  if (folded.includes('@')) return undefined
  if (DOMAIN.test(folded)) return { type: 'domain', value: folded }
  return HOST.test(word) && isShouted(word) ? { type: 'host', value: word } : undefined
}

/** `DOMAIN\person` or the path of a program. */
function inPath(word: string): Mention | undefined {
  const last = lastPart(word)
  if (PROGRAM.test(last.toLowerCase())) return { type: 'program', value: last.toLowerCase() }
  const parts = word.split('\\')
  const isAccount = parts.length === 2 && !word.includes(':') && last !== ''
  return isAccount ? { type: 'user', value: last } : undefined
}

const isIpv4 = (word: string) =>
  (IPV4.exec(word)?.slice(1) ?? []).filter((part) => Number(part) <= 255).length === 4

const lastPart = (word: string) => word.slice(word.lastIndexOf('\\') + 1)

function hostOfUrl(word: string): string | undefined {
  const start = word.indexOf('://')
  if (start < 1) return undefined
  return word.slice(start + 3).split(/[/:?#]/, 1)[0]
}

/** In a sentence only capitals or digits tell a machine from a word. */
const isShouted = (word: string) =>
  word === word.toUpperCase() ? /[A-Z]/.test(word) && word.length > 3 : /\d/.test(word)

const isPlainName = (word: string) =>
  /^[\w.@$\\:-]{2,256}$/.test(word) && !STOP.has(word.toLowerCase())
const STOP = new Set([
  'on',
  'is',
  'was',
  'of',
  'the',
  'a',
  'by',
  'in',
  'from',
  'for',
  'and',
  'name',
  'id',
])

function momentIn(word: string, day: string | undefined): number | undefined {
  const text = MOMENT.test(word) ? word : day && CLOCK.test(word) ? `${day}T${word}` : ''
  if (text === '') return undefined
  const zoned = /(z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`
  const at = Date.parse(zoned.replace(',', '.').toUpperCase())
  return Number.isNaN(at) ? undefined : at
}
