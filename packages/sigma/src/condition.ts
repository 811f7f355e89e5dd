import type { Query } from '@manara/log-query/ast'
import { allOf, anyOf } from '@manara/log-query/normalise'
import { compileWhole } from '@manara/log-query/pattern-test'
import { not } from './queries.ts'
import { SigmaError } from './sigma-error.ts'

/** The named parts of a rule's detection. */
export type Selections = {
  names: string[]
  query(name: string): Query
  /** What `all of <name>` joins when the name stands for a list. */
  alternatives(name: string): Query[]
}

/** At most so many ways to pick N of M selections. */
const MOST_WAYS = 500

/** Far more than anybody writes: every level is one more on the stack, here and in each engine. */
const MOST_DEPTH = 64

/** `not` binds closest, then `and`, then `or`. */
export const readCondition = (text: string, selections: Selections): Query => {
  const words = text.match(/[()]|[^\s()]+/g) ?? []
  let at = 0
  const peek = () => words[at]?.toLowerCase()
  const fail = (expected: string): never => {
    const found = words[at] === undefined ? 'the end' : JSON.stringify(words[at])
    throw new SigmaError(`condition ${JSON.stringify(text)}: expected ${expected}, found ${found}`)
  }
  const takes = (word: string): boolean => {
    if (peek() !== word) return false
    at += 1
    return true
  }

  let depth = 0
  const deeper = (read: () => Query): Query => {
    depth += 1
    if (depth > MOST_DEPTH)
      throw new SigmaError(`condition: more than ${MOST_DEPTH} levels of parentheses or "not"`)
    const query = read()
    depth -= 1
    return query
  }
  const either = (): Query => {
    const queries = [both()]
    while (takes('or')) queries.push(both())
    return anyOf(queries)
  }
  const both = (): Query => {
    const queries = [negation()]
    while (takes('and')) queries.push(negation())
    return allOf(queries)
  }
  const negation = (): Query => (takes('not') ? not(deeper(negation)) : operand())
  const operand = (): Query => {
    if (takes('(')) {
      const inner = deeper(either)
      return takes(')') ? inner : fail('")"')
    }
    const word = words[at]
    if (word === undefined || [')', 'and', 'or', 'of', 'them'].includes(word.toLowerCase()))
      return fail('the name of a selection')
    at += 1
    return words[at]?.toLowerCase() === 'of' ? quantified(word) : selections.query(known(word))
  }
  const quantified = (count: string): Query => {
    at += 1
    const pattern = words[at]
    if (pattern === undefined || pattern === '(' || pattern === ')') return fail('a selection')
    at += 1
    const queries = matching(pattern, count.toLowerCase() === 'all')
    if (/^all$/i.test(count)) return allOf(queries)
    if (/^any$/i.test(count)) return anyOf(queries)
    if (!/^[1-9]\d*$/.test(count))
      throw new SigmaError(
        `condition: "${count} of" is none of "all of", "any of", "1 of", "2 of" …`,
      )
    return atLeast(Number(count), queries)
  }
  const matching = (pattern: string, isAll: boolean): Query[] => {
    if (pattern.toLowerCase() !== 'them' && !pattern.includes('*'))
      return isAll ? selections.alternatives(known(pattern)) : [selections.query(known(pattern))]
    const names = selections.names.filter(namedLike(pattern))
    if (names.length === 0) throw new SigmaError(`condition: no selection is named like ${pattern}`)
    return names.map(selections.query)
  }
  const known = (name: string): string => {
    if (!selections.names.includes(name))
      throw new SigmaError(`condition: there is no selection named ${name}`)
    return name
  }

  const query = either()
  return at < words.length ? fail('"and", "or" or the end') : query
}

/** Selections whose name begins with an underscore are never meant by "them". */
const namedLike = (pattern: string): ((name: string) => boolean) => {
  if (pattern.toLowerCase() === 'them') return (name) => !name.startsWith('_')
  const parts = pattern.split('*').flatMap((literal, at) => {
    const text = literal === '' ? [] : [literal]
    return at === 0 ? text : [{ any: 'run' } as const, ...text]
  })
  return compileWhole({ kind: 'pattern', parts, isCaseSensitive: true })
}

const atLeast = (count: number, queries: Query[]): Query => {
  if (count > queries.length)
    throw new SigmaError(`condition: ${count} of ${queries.length} selections can never be`)
  const ways = pick(count, queries)
  if (ways.length > MOST_WAYS)
    throw new SigmaError(`condition: ${count} of ${queries.length} selections are too many ways`)
  return anyOf(ways.map(allOf))
}

const pick = (count: number, queries: Query[]): Query[][] => {
  if (count === 0) return [[]]
  const ways: Query[][] = []
  for (const [index, query] of queries.entries()) {
    for (const rest of pick(count - 1, queries.slice(index + 1))) ways.push([query, ...rest])
    if (ways.length > MOST_WAYS) break
  }
  return ways
}
