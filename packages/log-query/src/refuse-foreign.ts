import { type Cursor, fail } from './cursor.ts'
import { NAME } from './foreign-names.ts'

const NUMBER = '[+-]?\\d+(?:[.]\\d+)?(?=[\\s)&|]|$)'
const TEXT = 'what is meant as text is quoted'

/** What nobody means as text and this language writes otherwise. */
const REFUSED: [sign: RegExp, message: string, hint: string][] = [
  [
    new RegExp(`[<>]=?\\s*${NUMBER}`, 'y'),
    'a comparison without a field',
    `repeat the field, or write status:(>=400 AND <500); ${TEXT}`,
  ],
  [
    new RegExp(`[+-]?\\d+(?:[.]\\d+)?\\s*[<>]=?\\s*${NAME}\\s*[<>]=?\\s*${NUMBER}`, 'y'),
    'a field between two bounds',
    `write status:[400 TO 499], or status:(>=400 AND <500); ${TEXT}`,
  ],
  [
    new RegExp(
      `${NAME}(?:\\s+(?:=~|!~|~)[*]?\\s+(?=\\S)|\\s*(?:=~|!~|~)[*]?(?:["']|/[^/\\s]+/[a-z]*(?=[\\s)]|$))|\\s+(?:(?:NOT|not)\\s+)?(?:RLIKE|REGEXP|MATCHES|matches\\s+regex)\\s+["'/])`,
      'y',
    ),
    'this is how other languages write a regex',
    `write user:/adm.*/, NOT user:/adm.*/, or user:admin for the value itself; ${TEXT}`,
  ],
  [
    new RegExp(
      `(?:earliest|latest)\\s*=\\s*["']?(?:[-+@]|now|\\d)|${NAME}\\s*[<>=!]{1,2}\\s*(?:ago|now|datetime|todatetime)[(]`,
      'yi',
    ),
    'this is how other languages write a time',
    `write timestamp:>=now-24h or timestamp:[2026-03-01 TO 2026-03-02], or send from and to; ${TEXT}`,
  ],
  [
    /(?:cidrmatch|ipv4_is_in_range|searchmatch|tolower|toupper|lower|upper|coalesce|match|like)[(]/y,
    'this language has no such functions',
    `write src_ip:10.0.0.0/8 for a network, user:/adm.*/ for a regex; letters match in any case; ${TEXT}`,
  ],
  [
    new RegExp(`${NAME}\\s+!?has_(?:any|all)\\s*[(]`, 'y'),
    'this language has neither has_any nor has_all',
    `write CommandLine:(*first* OR *second*), or AND for all; ${TEXT}`,
  ],
  [
    new RegExp(`${NAME}:!=`, 'y'),
    'a field is compared with : or with !=',
    `write user!=root or NOT user:root; ${TEXT}`,
  ],
  [
    new RegExp(`${NAME}:'(?=[^'"\\s]*\\s)[^'"]*'(?=[\\s)]|$)`, 'y'),
    'single quotes hold no spaces here',
    'write double quotes: user:"two words"',
  ],
  [
    /"[^"]*"~\d*(?=[\s)]|$)/y,
    'words near each other cannot be asked for',
    `leave out what follows the phrase, or write its words alone; ${TEXT}`,
  ],
]

/** Silently looked for as text they would find nothing, and nobody would know why. */
export function refuseForeign({ text, at }: Cursor) {
  for (const [sign, message, hint] of REFUSED) {
    sign.lastIndex = at
    if (sign.test(text)) fail(at, message, hint)
  }
}
