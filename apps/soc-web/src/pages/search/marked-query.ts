type Mark = 'field' | 'word' | 'operator' | 'quoted' | 'sign'
export type Piece = { text: string; mark: Mark; isWrong: boolean }

const TOKEN =
  /\s+|(?<quoted>"(?:\\.|[^"\\])*"?)|(?<operator>\b(?:AND|OR|NOT)(?=[\s()"]|$)|&&|\|\|)|(?<field>[^\s()":]+:)|(?<word>[^\s()":]+)|./gsu
const MARKS = ['quoted', 'operator', 'field', 'word'] as const

/**
 * The query in pieces as they are coloured, with the one that is wrong: the token at the column the
 * parser names, or the last one where something is missing at the end.
 */
export function markedQuery(text: string, wrongColumn?: number): Piece[] {
  const tokens = [...text.matchAll(TOKEN)].map(({ 0: whole, index, groups }) => ({
    ...{ text: whole, from: index },
    mark: MARKS.find((mark) => groups?.[mark] !== undefined) ?? ('sign' as const),
  }))
  const seen = tokens.filter((token) => token.text.trim() !== '')
  const at = wrongColumn === undefined ? -1 : wrongColumn - 1
  const wrong =
    seen.find(({ from, text: shown }) => at >= from && at < from + shown.length) ??
    seen.findLast(({ from }) => from <= at)
  return tokens.map((token) => ({
    ...{ text: token.text, mark: token.mark },
    isWrong: at >= 0 && token === wrong,
  }))
}

/** Where the service or the parser says that it is: `… at column 13; …`. */
export function columnIn(problem: string | undefined): number | undefined {
  const [, column] = / at column (\d+);/.exec(problem ?? '') ?? []
  return column === undefined ? undefined : Number(column)
}
