import { AppError } from '@manara/kit/errors'

/**
 * The small language of conditions and templates: paths, literals, comparisons, `and`, `or`, `not`,
 * `in`, `contains`, `startswith`, `endswith` and `??` for "else". It has no calls and no loops, so
 * whatever is written in it ends and reaches nothing but the values it is given.
 */
export type Expression =
  | { kind: 'literal'; value: unknown }
  | { kind: 'list'; items: Expression[] }
  | { kind: 'path'; path: string[] }
  | { kind: 'not'; of: Expression }
  | { kind: 'binary'; operator: Operator; left: Expression; right: Expression }

export type Operator = (typeof LEVELS)[number][number]

const LEVELS = [
  ['or'],
  ['and'],
  ['==', '!=', '<=', '>=', '<', '>', 'in', 'contains', 'startswith', 'endswith'],
  ['??'],
] as const
const COMPARISON = 2
const DEPTH_LIMIT = 50

const fault = (at: number, why: string) => new AppError(400, `column ${at + 1}: ${why}`)

type Token = { text: string; at: number; kind: 'number' | 'text' | 'word' | 'sign' | 'end' }

const TOKEN =
  /\s*(?:(?<number>-?\d+(?:\.\d+)?)|(?<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?<word>[A-Za-z_][\w]*(?:\.[\w-]+)*)|(?<sign>\?\?|[=!<>]=|[<>()[\],]))/y

export function parseExpression(source: string): Expression {
  const tokens = tokenize(source)
  let next = 0
  const peek = () => tokens[next] as Token
  const take = () => tokens[next++] as Token
  const takes = (text: string) => {
    const { kind } = peek()
    const isIt = peek().text === text && (kind === 'sign' || kind === 'word')
    if (isIt) next += 1
    return isIt
  }
  const refuse = ({ at, kind, text }: Token): never => {
    throw fault(at, kind === 'end' ? 'something is missing' : `unexpected ${text}`)
  }

  function level(number: number, depth: number): Expression {
    if (depth > DEPTH_LIMIT) throw fault(peek().at, 'nested too deeply')
    const operators: readonly Operator[] | undefined = LEVELS[number]
    if (!operators) return operand(depth)
    if (number === COMPARISON && takes('not')) {
      return { kind: 'not', of: level(COMPARISON, depth + 1) }
    }
    let left = level(number + 1, depth)
    for (;;) {
      const operator = operators.find(takes)
      if (!operator) return left
      left = { kind: 'binary', operator, left, right: level(number + 1, depth) }
      // `1 < 2 < 3` never means what it seems to.
      if (number === COMPARISON) return left
    }
  }

  function operand(depth: number): Expression {
    const token = take()
    if (token.kind === 'number') return { kind: 'literal', value: Number(token.text) }
    if (token.kind === 'text') return { kind: 'literal', value: unquote(token.text) }
    if (token.kind === 'word') return wordOf(token)
    if (token.text === '(') {
      const inner = level(0, depth + 1)
      if (!takes(')')) refuse(peek())
      return inner
    }
    if (token.text === '[') return list(depth)
    return refuse(token)
  }

  function list(depth: number): Expression {
    const items: Expression[] = []
    if (takes(']')) return { kind: 'list', items }
    do items.push(level(0, depth + 1))
    while (takes(','))
    if (!takes(']')) refuse(peek())
    return { kind: 'list', items }
  }

  const expression = level(0, 0)
  if (peek().kind !== 'end') refuse(peek())
  return expression
}

const CONSTANTS: Record<string, unknown> = { true: true, false: false, null: null }
const KEYWORDS = new Set<string>([...LEVELS.flat(), 'not'])

function wordOf({ text, at }: Token): Expression {
  if (Object.hasOwn(CONSTANTS, text)) return { kind: 'literal', value: CONSTANTS[text] }
  if (KEYWORDS.has(text)) throw fault(at, `unexpected ${text}`)
  return { kind: 'path', path: text.split('.') }
}

function tokenize(source: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < source.trimEnd().length) {
    TOKEN.lastIndex = at
    const match = TOKEN.exec(source)
    if (!match?.groups) throw fault(at, `unexpected ${source.slice(at).trim()[0]}`)
    const [kind, text] = Object.entries(match.groups).find(([, found]) => found !== undefined) as [
      Token['kind'],
      string,
    ]
    tokens.push({ kind, text, at: TOKEN.lastIndex - text.length })
    at = TOKEN.lastIndex
  }
  return [...tokens, { kind: 'end', text: '', at }]
}

const unquote = (text: string) => text.slice(1, -1).replaceAll(/\\(.)/gs, '$1')

/** The paths it reads, for a check before anything runs. */
export function pathsOf(expression: Expression): string[][] {
  if (expression.kind === 'path') return [expression.path]
  if (expression.kind === 'list') return expression.items.flatMap(pathsOf)
  if (expression.kind === 'not') return pathsOf(expression.of)
  if (expression.kind === 'binary') return [expression.left, expression.right].flatMap(pathsOf)
  return []
}
