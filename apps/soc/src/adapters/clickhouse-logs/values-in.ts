import { type Places, placesIn } from '@manara/log-query/aggregate'
import { locate } from '@manara/log-query/event'
import type { Binding } from './binding.ts'

/** All values of an event in these places, in their order. */
export function valuesIn(places: Places, bind: Binding['bind']): string {
  const lists = placesIn(places).map((field) => valuesAt(field, bind))
  return lists.length === 1 ? lists.join('') : `arrayConcat(${lists.join(', ')})`
}

function valuesAt(field: string, bind: Binding['bind']): string {
  const location = locate(field)
  if (location.kind === 'timestamp') return '[toString(at)]'
  if (location.kind === 'field') {
    return `arrayFilter((text, own_name) -> own_name = ${bind(location.name)}, field_texts, field_names)`
  }
  const column = `\`${location.column}\``
  return `arrayFilter(text -> isNotNull(${column}), [ifNull(toNullable(${column}), '')])`
}
