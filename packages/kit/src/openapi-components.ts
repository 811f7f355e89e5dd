import { isDeepStrictEqual } from 'node:util'

type Schemas = Record<string, unknown>

const PLACE = '#/components/schemas/'
const SENT = /Input$/

/**
 * Only what is used, each under its plain name. A schema as it is sent and as it is answered may
 * differ, by defaults: `…Input` is kept for the first of them where both are used and differ.
 */
export function tidyComponents<Paths>(paths: Paths, schemas: Schemas) {
  const plain = mergeEqual(paths, schemas)
  const used = reachable(plain.paths, plain.schemas)
  const names = new Map(
    [...used]
      .filter((name) => SENT.test(name) && !used.has(name.replace(SENT, '')))
      .map((name) => [name, name.replace(SENT, '')]),
  )
  const kept = Object.fromEntries([...used].sort().map((name) => [name, plain.schemas[name]]))
  const renamed = rename({ paths: plain.paths, schemas: kept }, names)
  return {
    paths: renamed.paths,
    schemas: Object.fromEntries(
      Object.entries(renamed.schemas).map(([name, schema]) => [names.get(name) ?? name, schema]),
    ),
  }
}

/** Until nothing changes: what refers to two that were equal may be equal now. */
function mergeEqual<Paths>(paths: Paths, schemas: Schemas): { paths: Paths; schemas: Schemas } {
  const same = new Map(
    Object.entries(schemas).flatMap(([name, schema]) => {
      const other = name.replace(SENT, '')
      return other !== name && isDeepStrictEqual(schema, schemas[other]) ? [[name, other]] : []
    }),
  )
  if (same.size === 0) return { paths, schemas }
  const left = Object.fromEntries(Object.entries(schemas).filter(([name]) => !same.has(name)))
  const merged = rename({ paths, schemas: left }, same)
  return mergeEqual(merged.paths, merged.schemas)
}

function reachable(paths: unknown, schemas: Schemas): Set<string> {
  const used = new Set<string>()
  const waiting = namesIn(paths)
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (used.has(name) || !(name in schemas)) continue
    used.add(name)
    waiting.push(...namesIn(schemas[name]))
  }
  return used
}

const namesIn = (value: unknown) =>
  [...JSON.stringify(value).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(
    ([, name]) => name as string,
  )

function rename<T>(value: T, names: Map<string, string>): T {
  return JSON.parse(JSON.stringify(value), (key, one) => {
    if (key !== '$ref' || typeof one !== 'string' || !one.startsWith(PLACE)) return one
    return PLACE + (names.get(one.slice(PLACE.length)) ?? one.slice(PLACE.length))
  })
}
