import type { GroupBy, Places } from '@manara/log-query/aggregate'
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
    // As in a query.
    const [field = name, ...also] = countedPlaces(name === '@timestamp' ? 'timestamp' : name)
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
    async topValues({ field, ...asked }, limits) {
      const places = placed(field)
      const { values, ...answer } = await store.topValues({ ...resolved(asked), ...places }, limits)
      if (!isMoment(places)) return { ...answer, values }
      return { ...answer, values: values.map((one) => ({ ...one, value: momentOf(one.value) })) }
    },
    async aggregate({ by, measures, ...asked }, limits) {
      const places = by.map((one) => ('field' in one ? placed(one.field) : one))
      const { groups, ...answer } = await store.aggregate(
        {
          ...resolved(asked),
          by: places,
          measures: measures.map((one) =>
            one.kind === 'count' ? one : { ...one, ...placed(one.field) },
          ),
        },
        limits,
      )
      if (!places.some(isMoment)) return { ...answer, groups }
      const shown = groups.map(({ keys, values }) => ({
        keys: keys.map((key, at) => (isMoment(places[at]) ? momentOf(key) : key)),
        values,
      }))
      return { ...answer, groups: shown }
    },
  }
}

const isMoment = (by: GroupBy | undefined) =>
  by !== undefined && 'field' in by && by.field === 'timestamp' && !by.also

/** As events have it, and as it can be searched for. */
const momentOf = (milliseconds: string | number | null) =>
  new Date(Number(milliseconds)).toISOString()

/** Fields that no event has: said with every answer, since a NOT over them hides nothing either. */
function unknownFields(query: Query, catalogue: FieldCatalogue): string[] {
  return fieldsIn(query)
    .filter(catalogue.isUnknown)
    .map((name) => {
      const near = catalogue.nearest(name)
      const hint = near.length > 0 ? `; did you mean ${near.join(', ')}?` : ''
      return `no ${catalogue.looked()} has a field "${name}"${hint}`
    })
}
