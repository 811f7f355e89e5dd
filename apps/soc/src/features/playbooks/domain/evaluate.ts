import type { Expression, Operator } from './expression.ts'

/** What expressions may read: `alert`, `case`, `params`, `steps`, `execution`. */
export type Scope = Record<string, unknown>

/** A value that is not there is null, as in JSON. */
export function evaluate(expression: Expression, scope: Scope): unknown {
  if (expression.kind === 'literal') return expression.value
  if (expression.kind === 'list') return expression.items.map((item) => evaluate(item, scope))
  if (expression.kind === 'path') return lookUp(expression.path, scope)
  if (expression.kind === 'not') return !isTrue(evaluate(expression.of, scope))
  const left = evaluate(expression.left, scope)
  if (expression.operator === '??') return left ?? evaluate(expression.right, scope)
  if (expression.operator === 'and')
    return isTrue(left) && isTrue(evaluate(expression.right, scope))
  if (expression.operator === 'or') return isTrue(left) || isTrue(evaluate(expression.right, scope))
  return compare(expression.operator, left, evaluate(expression.right, scope))
}

/** Nothing, empty text and an empty list are no; so are `false` and 0. */
export const isTrue = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : Boolean(value)

// Own properties only: `params.constructor` is not there unless somebody sent it.
function lookUp(path: string[], scope: unknown): unknown {
  let value = scope
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null
    value = (value as Record<string, unknown>)[name]
  }
  return value ?? null
}

function compare(operator: Operator, left: unknown, right: unknown): boolean {
  switch (operator) {
    case '==':
      return isSame(left, right)
    case '!=':
      return !isSame(left, right)
    case 'in':
      return holds(right, left)
    case 'contains':
      return holds(left, right)
    case 'startswith':
      return areTexts(left, right) && fold(left).startsWith(fold(right))
    case 'endswith':
      return areTexts(left, right) && fold(left).endsWith(fold(right))
    default:
      return isOrdered(operator, left, right)
  }
}

/** Texts without regard to case, as in the search of logs; lists and objects by their JSON. */
function isSame(left: unknown, right: unknown): boolean {
  if (areTexts(left, right)) return fold(left) === fold(right)
  if (typeof left === 'object' && typeof right === 'object') {
    return JSON.stringify(left) === JSON.stringify(right)
  }
  return left === right
}

function holds(whole: unknown, part: unknown): boolean {
  if (Array.isArray(whole)) return whole.some((item) => isSame(item, part))
  return areTexts(whole, part) && fold(whole).includes(fold(part))
}

// Only like with like: a missing value is neither less nor more than anything.
function isOrdered(operator: Operator, left: unknown, right: unknown): boolean {
  const areNumbers = typeof left === 'number' && typeof right === 'number'
  if (!areNumbers && !areTexts(left, right)) return false
  const [a, b] = [left as string, right as string]
  if (operator === '<') return a < b
  if (operator === '<=') return a <= b
  if (operator === '>') return a > b
  return a >= b
}

function areTexts(left: unknown, right: unknown): boolean {
  return typeof left === 'string' && typeof right === 'string'
}

const fold = (text: unknown) => String(text).toLowerCase()
