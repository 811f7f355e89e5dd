import type { Query } from './ast.ts'

/** Roughly what it takes to test a query on an event, so that of several the cheap ones go first. */
export function testCost(query: Query): number {
  switch (query.kind) {
    case 'all':
      return 0
    case 'not':
      return testCost(query.query)
    case 'and':
    case 'or':
      return query.queries.reduce((sum, inner) => sum + testCost(inner), 0)
    case 'text':
      return query.match.kind === 'regex' ? 1_000 : 30
    case 'field':
      return query.match.kind === 'regex' ? 100 : 1
  }
}
