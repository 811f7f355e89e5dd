import { AppError, invalid } from '@manara/kit/errors'
import { evaluate, type Scope } from './evaluate.ts'
import { type Expression, parseExpression, pathsOf } from './expression.ts'
import {
  asJson,
  endsQuoted,
  inBrackets,
  inQuotesOfJson,
  inQuotesOfQuery,
  inUrl,
  inWords,
  isJson,
  isUrlSoFar,
  type Writer,
} from './write-value.ts'

type Hole = { start: number; end: number; source: string }

/** From each `{{` to the next `}}`; a text is gone through once, also when none is closed. */
function* holesIn(text: string): Iterable<Hole> {
  for (let start = text.indexOf('{{'); start >= 0; ) {
    const close = text.indexOf('}}', start + 2)
    if (close < 0) return
    const end = close + 2
    yield { start, end, source: text.slice(start + 2, close) }
    start = text.indexOf('{{', end)
  }
}

/** A template that has no value, or is not one: `at` is where in the parameters. */
export type TemplateFault = { at: string[]; why: string }

export const hasTemplate = (text: string) => [...holesIn(text)].length > 0

/**
 * Fills `{{ … }}` in every text. A text that is nothing but one template becomes its value as it is
 * (a number, a list); inside a longer text the value is written out: a list as people write it, in
 * JSON as JSON, in a URL as one part of it. A template without a value is a fault: `?? ''` says what
 * to put there instead.
 */
export function render(value: unknown, scope: Scope, at: string[] = []): unknown {
  if (typeof value === 'string') return renderText(value, scope, at)
  if (Array.isArray(value)) {
    return value.map((item, index) => render(item, scope, [...at, String(index)]))
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, render(part, scope, [...at, name])]),
  )
}

function renderText(text: string, scope: Scope, at: string[]): unknown {
  const holes = [...holesIn(text)]
  const [first] = holes
  if (!first) return text
  if (text.trim().length === first.end - first.start) return filled(first.source, scope, at).value
  const { pieces, writerOf } = piecesOf(text, holes, at)
  let rendered = ''
  for (const [index, { source }] of holes.entries()) {
    rendered += pieces[index]
    const { value, isSecret } = filled(source, scope, at)
    // Secrets are our own: some are several parts of a path.
    const isPart = !isSecret && isUrlSoFar(rendered)
    const written = isPart ? inUrl(value) : writerOf(index)(value)
    if (written === null) {
      throw invalid(nameOf(at), `{{ ${source.trim()} }} is ${value}, which is another place`)
    }
    rendered += written
  }
  return rendered + pieces.at(-1)
}

/** The text around the templates, and how it wants each of them written. */
function piecesOf(text: string, holes: Hole[], at: string[]) {
  const pieces: string[] = []
  const quoted: boolean[] = []
  let from = 0
  for (const { start, end } of holes) {
    pieces.push(text.slice(from, start))
    quoted.push(endsQuoted(pieces.at(-1) ?? '', quoted.at(-1) ?? false))
    from = end
  }
  pieces.push(text.slice(from))
  const around = pieces.map((piece, index) => (quoted[index] === false ? `${piece}0` : piece))
  const isInJson = isJson(around.join(''))
  const plain = /^\s*(\[|\{(?!\{))/.test(text) ? inBrackets : inWords
  const writerOf = (index: number): Writer => {
    if (isInJson) return quoted[index] ? inQuotesOfJson : asJson
    return at[0] === 'query' && quoted[index] ? inQuotesOfQuery : plain
  }
  return { pieces, writerOf }
}

function filled(source: string, scope: Scope, at: string[]): { value: unknown; isSecret: boolean } {
  const expression = parseExpression(source)
  const value = evaluate(expression, scope)
  const secret = secretOf(expression)
  if (value !== null) return { value, isSecret: secret !== null }
  // Everywhere but in the call itself a secret is its name.
  if (secret !== null) return { value: `{{ secrets.${secret} }}`, isSecret: true }
  throw invalid(nameOf(at), `{{ ${source.trim()} }} has no value`)
}

const nameOf = (at: string[]) => ['params', ...at].join('.')

/** The name, where an expression is nothing but a secret. */
function secretOf(expression: Expression): string | null {
  if (expression.kind !== 'path') return null
  const [root, name, ...rest] = expression.path
  return root === 'secrets' && rest.length === 0 ? (name ?? null) : null
}

/** `secret` is the name where the template is nothing but a secret. */
export type Inspected = { at: string[]; paths: string[][]; secret: string | null }

/** Every path that the templates in a value read, and what is wrong with them. */
export function* inspectTemplates(
  value: unknown,
  at: string[] = [],
): Iterable<Inspected | TemplateFault> {
  if (typeof value === 'string') {
    for (const { source } of holesIn(value)) yield inspectExpression(source, at)
    return
  }
  if (typeof value !== 'object' || value === null) return
  for (const [name, part] of Object.entries(value)) yield* inspectTemplates(part, [...at, name])
}

/**
 * False where a template reads what is found later, in a scope that holds what there is now: then
 * what stands in for it (`?? 'x'`) is not yet its value.
 */
export const isKnown = (value: unknown, scope: Scope): boolean =>
  [...inspectTemplates(value)].every(
    (one) => 'why' in one || one.paths.every((path) => isSettled(path, scope)),
  )

/** Steps that have not run are not in the scope; a case that is not there may be opened by one. */
function isSettled([root = '', name = '']: string[], scope: Scope): boolean {
  if (root === 'case') return scope.case !== null
  return !/^(steps|execution)$/.test(root) || Object.hasOwn(scope[root] as object, name)
}

export function inspectExpression(source: string, at: string[]): Inspected | TemplateFault {
  try {
    const expression = parseExpression(source)
    return { at, paths: pathsOf(expression), secret: secretOf(expression) }
  } catch (error) {
    if (error instanceof AppError) return { at, why: error.message }
    throw error
  }
}
