import fc from 'fast-check'

type Schema = { $ref?: string; properties?: Record<string, { enum?: unknown[] }> }
type Operation = { requestBody?: { content: Record<string, { schema: Schema }> } }
type Paths = Record<string, Record<string, Operation>>
type Route = { method: string; path: string; fields: string[]; words: unknown[] }

export type MalformedRequest = { method: string; url: string; payload?: string; type: string }

/** Values that have broken servers before, beside random ones. */
const value = fc.oneof(
  fc.constantFrom(null, true, '', '40', -1, 0, 1, 114, 115, 1e308, 0.1, [], {}, '../..', '\0', '/'),
  fc.constantFrom('http://[', 'http://a\r\nb', '٣', '\ud800', 'a'.repeat(5000), '__proto__'),
  fc.integer(),
  fc.double(),
  fc.string({ unit: 'grapheme' }),
  fc.jsonValue({ maxDepth: 3 }),
)

const pathPart = fc.oneof(
  fc.constantFrom('1', '0', '-1', 'abc', '%00', '%2e%2e%2f', '..', '%E0%A4%A', '𝕏', ' ', '1e9'),
  fc.string({ maxLength: 40 }),
)

const body = ({ fields, words }: Route) =>
  fc.oneof(
    // Its own fields with wrong values get past the first check, so most cases are of this kind.
    {
      weight: 6,
      arbitrary: fc
        .dictionary(
          fc.constantFrom(...fields, 'extra', '__proto__', 'constructor'),
          fc.oneof(value, fc.constantFrom(...words, 1)),
          { maxKeys: 6 },
        )
        .map((object) => JSON.stringify(object)),
    },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.string() },
    { weight: 1, arbitrary: fc.constantFrom('', '{', '[]', '"x"', 'null', '{"a":', '\0') },
  )

/** Requests to the routes of an OpenAPI document; `known` are ids that exist, to get further in. */
export function malformedRequests(
  paths: Paths,
  known: string[] = [],
  schemas: Record<string, Schema> = {},
): fc.Arbitrary<MalformedRequest> {
  const part = known.length > 0 ? fc.oneof(fc.constantFrom(...known), pathPart) : pathPart
  return fc.constantFrom(...routesOf(paths, schemas)).chain((route) =>
    fc
      .record({
        payload: body(route),
        part,
        query: fc.oneof(fc.constant(''), fc.webQueryParameters(), fc.string({ maxLength: 30 })),
        type: fc.constantFrom('application/json', 'application/json; charset=x', 'text/html', ''),
      })
      .map(({ payload, part: id, query, type }) => ({
        method: route.method.toUpperCase(),
        url: `${route.path.replaceAll(/\{\w+\}/g, encoded(id))}${query && `?${encodeURI(query.toWellFormed())}`}`,
        type,
        ...(route.method === 'get' ? {} : { payload }),
      })),
  )
}

function routesOf(paths: Paths, schemas: Record<string, Schema>): Route[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody }]) => {
      const told = requestBody?.content['application/json']?.schema ?? {}
      const schema = schemas[told.$ref?.split('/').at(-1) ?? ''] ?? told
      const properties = Object.entries(schema.properties ?? {})
      return {
        method,
        path,
        fields: ['field', ...properties.map(([name]) => name)],
        words: properties.flatMap(([, property]) => property.enum ?? []),
      }
    }),
  )
}

const encoded = (part: string) =>
  /^[\w%.-]+$/.test(part) ? part : encodeURIComponent(part.toWellFormed())
