export type Limits = { ms: number; events: number; queries: number }
type Used = { events: number; queries: number }

/** The run ends here, with what it has found. */
export class BudgetOver extends Error {}

export function createBudget(limits: Limits) {
  const used: Used = { events: 0, queries: 0 }
  return {
    used,
    query() {
      if (used.queries >= limits.queries) {
        throw new BudgetOver(`${limits.queries} queries were used up`)
      }
      used.queries += 1
    },
    events(count: number) {
      used.events += count
      if (used.events > limits.events) {
        throw new BudgetOver(`${limits.events.toLocaleString('en')} events were read`)
      }
    },
  }
}

export type Budget = ReturnType<typeof createBudget>
