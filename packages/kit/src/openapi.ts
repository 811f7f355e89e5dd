import { readFile } from 'node:fs/promises'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import type { OpenAPIV3_1 } from 'openapi-types'
import { z } from 'zod'
import type { Http } from './http.ts'
import { type Contents, completeDocument } from './openapi-document.ts'

export type ApiDescription = {
  title: string
  description: string
  version: string
  /** `/api` gives `/api/openapi.json` and the browsable page at `/api/docs`. */
  prefix: string
  tags: { name: string; description: string }[]
  securitySchemes: Record<string, OpenAPIV3_1.SecuritySchemeObject>
  isPublic(method: string, url: string): boolean
  /** The one field of an error body. */
  errorField: string
  /** Which errors a route answers with; 400, and 401 where it is not public, unless said otherwise. */
  errorsOf?(route: {
    method: string
    url: string
    config: unknown
    /** Whether it reads parameters after the question mark. */
    hasQuery: boolean
  }): number[]
  /** What an error means where it is not what it usually does. */
  errorWords?: Record<number, string>
  /** Examples of what is sent, by method and path. */
  examples?: Record<string, unknown>
  /** What a field of that name is likely to hold, for the examples that are made. */
  samples?: Record<string, unknown>
  /** Bodies and answers that are no JSON, or that a route without a schema has. */
  contents?: Record<string, Contents>
  /**
   * A file with the document, written by `npm run docs:api` and compared by `npm run check`. Making
   * one of hundreds of routes takes half a second in which nobody else is answered.
   */
  written?: URL
}

// The page is about the product, not about the library that draws it.
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><text x="4" y="29" font-family="system-ui, sans-serif" font-size="26" font-weight="600" fill="#fff">Manara</text></svg>'

type Operation = {
  tags?: string[]
  summary?: string
  operationId?: string
  querystring?: { properties?: Record<string, { default?: unknown }> }
  response?: object
}

/** Call before the routes are registered: the document is made from their schemas. */
export async function describeApi(http: Http, api: ApiDescription): Promise<void> {
  const security = Object.keys(api.securitySchemes).map((name) => ({ [name]: [] }))
  const errorBody = { description: 'What was wrong, in words', $ref: '#/components/schemas/Error' }
  const errorsOf =
    api.errorsOf ?? (({ method, url }) => (api.isPublic(method, url) ? [400] : [400, 401]))

  await http.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: api.title,
        description: api.description,
        version: api.version,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/', description: 'The service that serves this document' }],
      tags: api.tags,
      components: { securitySchemes: api.securitySchemes },
    },
    transform: (input) => {
      const { schema, url } = jsonSchemaTransform(withListedParameters(input))
      const method = String(input.route.method)
      const isPublic = api.isPublic(method, url)
      const operation = schema as Operation
      tellDefaults(input.schema?.querystring, operation.querystring)
      return {
        url,
        schema: {
          ...schema,
          operationId: operation.operationId ?? operationId(method, url, api.prefix),
          security: isPublic ? [] : security,
          response: {
            ...(operation.response ?? { 200: { description: 'Done', type: 'object' } }),
            ...Object.fromEntries(
              errorsOf({
                ...{ method, url: input.url, config: input.route.config },
                hasQuery: input.schema?.querystring !== undefined,
              }).map((status) => [status, errorBody]),
            ),
          },
        },
      }
    },
    transformObject: (document) =>
      completeDocument(jsonSchemaTransformObject(document) as OpenAPIV3_1.Document, api),
  })
  const at = `${api.prefix}/openapi.json`
  let written: Promise<Buffer | undefined> | undefined
  http.get(at, { schema: { hide: true } as object }, async (_request, reply) => {
    written ??= api.written ? readFile(api.written).catch(() => undefined) : undefined
    return reply.type('application/json').send((await written) ?? http.swagger())
  })
  await http.register(swaggerUi, {
    routePrefix: `${api.prefix}/docs`,
    theme: { title: api.title },
    // The page reads the same document; what the library would make for itself is not made twice.
    uiConfig: { url: at },
    uiHooks: {
      onRequest(request, reply, next) {
        if (/\/docs\/(json|yaml)$/.test(request.url)) reply.redirect(at)
        else next()
      },
    },
    logo: { type: 'image/svg+xml', content: Buffer.from(LOGO) },
  })
}

/** What stands in the address is told parameter by parameter, also where its schema has a name. */
function withListedParameters<Input extends { schema: unknown }>(input: Input): Input {
  const schema = input.schema as Record<string, unknown> | undefined
  if (!schema) return input
  const listed = Object.fromEntries(
    ['querystring', 'params', 'headers'].flatMap((part) => {
      const given = schema[part]
      return given instanceof z.ZodType ? [[part, given.clone(given.def)]] : []
    }),
  )
  return { ...input, schema: { ...schema, ...listed } }
}

/** What is read out of text, such as a number, is described without its default. */
function tellDefaults(given: unknown, told: Operation['querystring']) {
  if (!(given instanceof z.ZodObject)) return
  for (const [name, field] of Object.entries(given.shape)) {
    const property = told?.properties?.[name]
    if (property && field instanceof z.ZodDefault) property.default ??= field.def.defaultValue
  }
}

/** `POST /api/playback/resume-saved` becomes `postPlaybackResumeSaved`. */
function operationId(method: string, url: string, prefix: string): string {
  const words = url.replace(prefix, '').match(/[A-Za-z0-9]+/g) ?? []
  return method.toLowerCase() + words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('')
}
