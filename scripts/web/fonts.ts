import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { SURAHS } from '../../packages/player-contract/src/surahs.ts'

const CACHE = 'node_modules/.cache/manara-fonts'
// Raised when the way of cutting changes, so that what was cut the old way is not used again.
const EDITION = 1

type Cut = { name: string; file: string; letters: string; axes?: object }

const span = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at)).join('')

// Latin with the accents of Western Europe, since people write their own names.
const LATIN = `${span(0x20, 0x7e)}${span(0xc0, 0xff)}ı–—‘’“”…•·−°`
// Those of Turkish, Bosnian, Polish and others, asked for where a name has one.
const MORE_LATIN = span(0x100, 0x17f)
// Arabic with its vowel signs and both rows of digits, and the letters of Persian and Urdu.
const ARABIC = `${span(0x621, 0x63a)}${span(0x640, 0x652)}${span(0x660, 0x66c)}ٰٱپچژکگیہے،؛؟ﷺ`
const NAMES = [...new Set(`سورة ${SURAHS.map(({ name_ar }) => name_ar).join('')}`)].join('')

const WEIGHTS = { wght: { min: 400, max: 600 } }

const FONTS: Cut[] = [
  {
    name: 'plex-latin',
    file: '@fontsource-variable/ibm-plex-sans/files/ibm-plex-sans-latin-wght-normal.woff2',
    letters: LATIN,
    axes: WEIGHTS,
  },
  {
    name: 'plex-more',
    file: '@fontsource-variable/ibm-plex-sans/files/ibm-plex-sans-latin-ext-wght-normal.woff2',
    letters: MORE_LATIN,
    axes: WEIGHTS,
  },
  ...['400', '600'].map((weight) => ({
    name: `plex-arabic-${weight}`,
    file: `@fontsource/ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-arabic-${weight}-normal.woff2`,
    letters: ARABIC,
  })),
  {
    name: 'plex-mono',
    file: '@fontsource/ibm-plex-mono/files/ibm-plex-mono-latin-400-normal.woff2',
    letters: LATIN,
  },
  {
    name: 'amiri-names',
    file: '@fontsource/amiri/files/amiri-arabic-700-normal.woff2',
    letters: NAMES,
  },
]

const LICENCES = [
  '@fontsource/amiri',
  '@fontsource-variable/ibm-plex-sans',
  '@fontsource/ibm-plex-sans-arabic',
  '@fontsource/ibm-plex-mono',
]

/**
 * Fonts cut to the letters that are used, by name. Cutting takes seconds, so each is kept by the
 * hash of what it was made from.
 */
export async function cutFonts(): Promise<Map<string, string>> {
  mkdirSync(CACHE, { recursive: true })
  const require = createRequire(path.resolve('package.json'))
  const files = new Map<string, string>()
  for (const { name, file, letters, axes } of FONTS) {
    const whole = readFileSync(require.resolve(file))
    const made = createHash('sha256').update(whole).update(`${EDITION} ${letters}`)
    const place = path.resolve(CACHE, `${name}-${made.digest('hex').slice(0, 16)}.woff2`)
    if (!existsSync(place)) {
      const { default: subsetFont } = await import('subset-font')
      const options = { targetFormat: 'woff2', ...(axes ? { variationAxes: axes } : {}) } as const
      writeFileSync(`${place}.new`, await subsetFont(whole, letters, options))
      renameSync(`${place}.new`, place)
    }
    files.set(name, place)
  }
  return files
}

/** The licence of the fonts goes where the fonts go. */
export function fontLicences(): string {
  const require = createRequire(path.resolve('package.json'))
  const text = (name: string) => readFileSync(require.resolve(`${name}/LICENSE`), 'utf8')
  return LICENCES.map((name) => `${name}\n\n${text(name)}`).join('\n\n')
}
