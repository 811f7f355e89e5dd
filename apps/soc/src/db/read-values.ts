import pg from 'pg'

const TIMESTAMPTZ = 1184
const TEXTS = 1009

const anyMoment = pg.types.getTypeParser(TIMESTAMPTZ, 'text')
const anyTexts = pg.types.getTypeParser(TEXTS as never, 'text') as typeof anyMoment

/**
 * How values of the database become values of ours. A page of alerts has hundreds of times and
 * arrays, and the parsers of `pg`, which take whatever there is, need longer for those than all the
 * rest of the page takes.
 */
export const readValues: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: string) {
    if (format === 'binary') return pg.types.getTypeParser(oid, 'binary')
    if (oid === TIMESTAMPTZ) return momentOf
    if (oid === TEXTS) return textsOf
    return pg.types.getTypeParser(oid, 'text')
  },
} as pg.CustomTypesConfig

/** `2026-03-01 10:00:00.5+00`, as a server in UTC writes it, is almost what JavaScript reads. */
function momentOf(text: string): unknown {
  if (!text.endsWith('+00') || text[10] !== ' ') return anyMoment(text)
  return new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)
}

/** Without a quote, a backslash or a brace inside there is nothing but commas to look for. */
function textsOf(text: string): unknown {
  if (text === '{}') return []
  if (text[0] !== '{' || /["\\{]/.test(text.slice(1))) return anyTexts(text)
  return text
    .slice(1, -1)
    .split(',')
    .map((one) => (one === 'NULL' ? null : one))
}
