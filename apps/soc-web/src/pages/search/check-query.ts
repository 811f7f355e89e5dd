import type { parseQuery } from '@manara/log-query/parse'
import { describeQueryError } from '@manara/log-query/query-error'

let parsing: Promise<typeof parseQuery> | undefined

/**
 * What is wrong with a query, in the words of the service: its own parser, which comes with a script
 * of its own when somebody types. Where it does not come, the service says it when asked.
 */
export async function checkQuery(text: string): Promise<string | undefined> {
  parsing ??= import('@manara/log-query/parse').then((parser) => parser.parseQuery)
  const parse = await parsing.catch(() => {
    parsing = undefined
    return undefined
  })
  const result = parse?.(text, Date.now())
  return result && !result.ok ? describeQueryError(result.error) : undefined
}
