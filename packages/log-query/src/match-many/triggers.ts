import type { FieldQuery, Query } from '../ast.ts'
import { locate } from '../event.ts'
import { type Clause, type Literal, ofRegex, requiredLiterals } from '../literals.ts'

/**
 * Something quickly seen in an event. A query that matches has at least one of its triggers, so an
 * event without any of them needs no closer look.
 */
export type Trigger =
  | { kind: 'literal'; key: string; literal: Literal }
  | { kind: 'present'; key: string; field: string }

/** What is kept of it: the name by which rules were compared is long, and needed once. */
export type Watched = { literal: Literal } | { field: string }

export const watched = (trigger: Trigger): Watched =>
  trigger.kind === 'literal' ? { literal: trigger.literal } : { field: trigger.field }

/** What must be seen, as a tree whose cheapest branches are chosen once all queries are known. */
export type Need =
  | { kind: 'trigger'; trigger: Trigger }
  | { kind: 'all'; needs: Need[] }
  | { kind: 'any'; needs: Need[] }

type TextQuery = Extract<Query, { kind: 'text' }>

/** Undefined when the query may match an event that has nothing in particular. */
export function needOf(query: Query): Need | undefined {
  switch (query.kind) {
    case 'and':
      return joined(
        'all',
        query.queries.flatMap((inner) => needOf(inner) ?? []),
      )
    case 'or': {
      const needs = query.queries.map(needOf)
      // Of none: false, so that nothing at all needs a look. It is too rare to be worth a kind.
      return needs.every((need) => need !== undefined) ? joined('any', needs) : undefined
    }
    case 'text':
      return needOfLiterals(query)
    case 'field':
      return needOfField(query)
    case 'all':
    case 'not':
      return undefined
  }
}

function joined(kind: 'all' | 'any', needs: Need[]): Need | undefined {
  return needs.length === 0 ? undefined : { kind, needs }
}

function needOfField(query: FieldQuery): Need | undefined {
  const location = locate(query.field)
  if (location.kind === 'timestamp') return undefined
  const present: Need = {
    kind: 'trigger',
    trigger: { kind: 'present', key: `present ${query.field}`, field: query.field },
  }
  const literals = needOfLiterals(query)
  return literals ? { kind: 'all', needs: [literals, present] } : present
}

function needOfLiterals(query: FieldQuery | TextQuery): Need | undefined {
  const clauses = literalsOf(query).filter((clause) => clause.every(isUsable))
  return joined(
    'all',
    clauses.map((clause) => ({ kind: 'any', needs: clause.map(literalNeed) })),
  )
}

/** Of one field a single rare letter is worth looking for before a regex is run. */
function literalsOf(query: FieldQuery | TextQuery): Clause[] {
  if (query.kind === 'text' || query.match.kind !== 'regex') return requiredLiterals(query)
  return ofRegex(query.match, query.field, 1)
}

/** Half a character can be found inside a whole one only as long as nobody folds that. */
function isUsable({ text }: Literal): boolean {
  return text !== '' && text.isWellFormed()
}

function literalNeed(literal: Literal): Need {
  const { field, isStart, isEnd, text } = literal
  const key = JSON.stringify([field, isStart, isEnd, text])
  return { kind: 'trigger', trigger: { kind: 'literal', key, literal } }
}

/** Every trigger in the tree once. */
export function triggersIn(need: Need, into = new Map<string, Trigger>()): Map<string, Trigger> {
  if (need.kind === 'trigger') into.set(need.trigger.key, need.trigger)
  else for (const inner of need.needs) triggersIn(inner, into)
  return into
}

/** The triggers to watch for and how likely an event is taken to have one of them. */
type Choice = { triggers: Trigger[]; chance: number; isAnywhere: boolean }

/** To look for a text anywhere all of an event has to be read, for one text or for many. */
const ANYWHERE = 0.2

const costOf = ({ chance, isAnywhere }: Choice) => chance + (isAnywhere ? ANYWHERE : 0)

export function cheapest(need: Need, chanceOf: (trigger: Trigger) => number): Choice {
  if (need.kind === 'trigger') {
    const { trigger } = need
    const isAnywhere = trigger.kind === 'literal' && trigger.literal.field === undefined
    return { triggers: [trigger], chance: chanceOf(trigger), isAnywhere }
  }
  const choices = need.needs.map((inner) => cheapest(inner, chanceOf))
  if (need.kind === 'all') return choices.reduce((a, b) => (costOf(b) < costOf(a) ? b : a))
  return {
    triggers: choices.flatMap(({ triggers }) => triggers),
    chance: choices.reduce((sum, { chance }) => sum + chance, 0),
    isAnywhere: choices.some(({ isAnywhere }) => isAnywhere),
  }
}
