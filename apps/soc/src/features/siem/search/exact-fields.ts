import type { Query } from '@manara/log-query/ast'
import type { FieldCatalogue } from './domain/field-catalogue.ts'
import { fieldsIn } from './domain/resolve-fields.ts'

/**
 * For rules, whose names mean exactly what they say: fields that no event has, with the names it may
 * have them under, those that a search would take for them first.
 */
export function missingFields(query: Query, catalogue: FieldCatalogue): string[] {
  return [...new Set(fieldsIn(query))].filter(catalogue.isMissing).map((name) => {
    const others = catalogue.otherPlaces(name)
    const near = others.length > 0 ? others : catalogue.nearest(name)
    const hint = near.length > 0 ? `; events have ${near.slice(0, 3).join(', ')}` : ''
    return `no event has a field "${name}", and in a rule names are exact${hint}`
  })
}
