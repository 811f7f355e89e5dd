import type { Places } from '@manara/log-query/aggregate'
import type { Query } from '@manara/log-query/ast'
import { isParserMark } from '../normalise/fields.ts'
import type { FieldCatalogue } from './domain/field-catalogue.ts'
import { fieldsIn, resolveFields } from './domain/resolve-fields.ts'
import type { ReadableLogs } from './readable-logs.ts'

/** The store, asked for fields in any letter case and by the names that ECS and OCSF have for them. */
export function namedLogs(store: ReadableLogs, catalogue: FieldCatalogue): ReadableLogs {
  const { placesOf, countedPlaces } = catalogue
  const resolved = <Asked extends Parameters<ReadableLogs['scan']>[0]>(asked: Asked): Asked => ({
    ...asked,
    query: resolveFields(asked.query, placesOf),
  })
  const placed = (name: string): Places => {
    const [field = name, ...also] = countedPlaces(name)
    return also.length > 0 ? { field, also } : { field }
  }
  return {
    notesOn: (query) => unknownFields(query, catalogue),
    byId: store.byId,
    sources: store.sources,
    search: (asked, limits) => store.search(resolved(asked), limits),
    scan: (asked, limits) => store.scan(resolved(asked), limits),
    histogram: (asked, limits) => store.histogram(resolved(asked), limits),
    async fields(asked, limits) {
      const { fields, ...answer } = await store.fields(resolved(asked), limits)
      return { ...answer, fields: fields.filter(({ name }) => !isParserMark(name)) }
    },
    topValues: ({ field, ...asked }, limits) =>
      store.topValues({ ...resolved(asked), ...placed(field) }, limits),
    aggregate: ({ by, measures, ...asked }, limits) =>
      store.aggregate(
        {
          ...resolved(asked),
          by: by.map((one) => ('field' in one ? placed(one.field) : one)),
          measures: measures.map((one) =>
            one.kind === 'count' ? one : { ...one, ...placed(one.field) },
          ),
        },
        limits,
      ),
  }
}

/** Fields that no event has: said with every answer, since a NOT over them hides nothing either. */
function unknownFields(query: Query, catalogue: FieldCatalogue): string[] {
  return fieldsIn(query)
    .filter(catalogue.isUnknown)
    .map((name) => {
      const near = catalogue.nearest(name)
      const hint = near.length > 0 ? `; did you mean ${near.join(', ')}?` : ''
      return `no event has a field "${name}"${hint}`
    })
}
