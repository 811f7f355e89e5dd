/** Which argument of each is what it says, and which the field that this is about. */
const SAYING: Record<string, { says: number; field?: number }> = {
  invalid: { says: 1, field: 0 },
  conflict: { says: 0 },
  unavailable: { says: 0 },
  refused: { says: 0 },
  AppError: { says: 1 },
  Error: { says: 0 },
  NoDevice: { says: 0 },
  add: { says: 1 },
  failed: { says: 1 },
  onProblem: { says: 0 },
  onState: { says: 0 },
  push: { says: 0 },
  report: { says: 1 },
  reportProblem: { says: 0 },
  sourceLost: { says: 0 },
  tell: { says: 0 },
  unshift: { says: 0 },
}
const CALL = new RegExp(`\\b(?:${Object.keys(SAYING).join('|')})\\(`, 'g')
const NAMED = /(?:\b(?:message|reason|error|problem|note):|\breturn)\s+(?=['"`])/g

/** What a source file gives as reasons, as it is written there; what it takes from elsewhere is 7. */
export function reasonsIn(source: string): string[] {
  const calls = [...source.matchAll(CALL)].map((found) => {
    const { says, field } = SAYING[found[0].slice(0, -1)] ?? { says: 0 }
    const texts = textsOf(source, found.index + found[0].length)
    const text = texts[says]
    return text && field !== undefined ? `${texts[field] ?? 'field'}: ${text}` : text
  })
  const named = [...source.matchAll(NAMED)].map(
    (found) => textAt(source, found.index + found[0].length).text,
  )
  return [...calls, ...named].filter((text) => text !== undefined && text !== '') as string[]
}

/** The arguments that begin at `at`, each as its text if it is written out. */
function textsOf(source: string, at: number): (string | undefined)[] {
  const texts: (string | undefined)[] = [undefined]
  let isFirst = true
  for (let depth = 1; at < source.length; at += 1) {
    const sign = source[at] ?? ''
    if (/['"`]/.test(sign)) {
      const { text, end } = textAt(source, at)
      if (isFirst && depth === 1) texts[texts.length - 1] = text
      at = end
    }
    if (/[([{]/.test(sign)) depth += 1
    if (/[)\]}]/.test(sign)) depth -= 1
    if (depth === 0) break
    if (sign === ',' && depth === 1) {
      texts.push(undefined)
      isFirst = true
    } else if (!/\s/.test(sign)) isFirst = false
  }
  return texts
}

function textAt(source: string, start: number): { text: string; end: number } {
  const quote = source[start]
  let text = ''
  let at = start + 1
  for (; at < source.length && source[at] !== quote; at += 1) {
    if (quote === '`' && source.startsWith('${', at)) {
      text += '7'
      at = endOfInset(source, at + 2)
    } else if (source[at] === '\\') {
      at += 1
      text += source[at]
    } else text += source[at]
  }
  return { text, end: at }
}

/** Where the `}` of a `${` is. */
function endOfInset(source: string, start: number): number {
  let depth = 1
  for (let at = start; ; at += 1) {
    if (source[at] === '`') at = textAt(source, at).end
    else if (source[at] === '{') depth += 1
    else if (source[at] === '}') depth -= 1
    if (depth === 0 || at >= source.length) return at
  }
}
