import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import type { OpenAPIV3_1 } from 'openapi-types'
import type { Http } from './http.ts'

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
}

// The page is about the product, not about the library that draws it.
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><text x="4" y="29" font-family="system-ui, sans-serif" font-size="26" font-weight="600" fill="#fff">Manara</text></svg>'

type Operation = { tags?: string[]; summary?: string; operationId?: string; response?: object }

/** Call before the routes are registered: the document is made from their schemas. */
export async function describeApi(http: Http, api: ApiDescription): Promise<void> {
  const security = Object.keys(api.securitySchemes).map((name) => ({ [name]: [] }))
  const errorBody = {
    description: 'What was wrong, in words',
    type: 'object',
    required: [api.errorField],
    properties: { [api.errorField]: { type: 'string' } },
  }

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
      const { schema, url } = jsonSchemaTransform(input)
      const method = String(input.route.method)
      const isPublic = api.isPublic(method, url)
      const operation = schema as Operation
      return {
        url,
        schema: {
          ...schema,
          operationId: operation.operationId ?? operationId(method, url, api.prefix),
          security: isPublic ? [] : security,
          response: {
            ...(operation.response ?? { 200: { description: 'Done', type: 'object' } }),
            400: errorBody,
            ...(isPublic ? {} : { 401: errorBody }),
          },
        },
      }
    },
    transformObject: jsonSchemaTransformObject,
  })
  http.get(`${api.prefix}/openapi.json`, { schema: { hide: true } as object }, () => http.swagger())
  await http.register(swaggerUi, {
    routePrefix: `${api.prefix}/docs`,
    theme: { title: api.title },
    logo: { type: 'image/svg+xml', content: Buffer.from(LOGO) },
  })
}

/** `POST /api/playback/resume-saved` becomes `postPlaybackResumeSaved`. */
function operationId(method: string, url: string, prefix: string): string {
  const words = url.replace(prefix, '').match(/[A-Za-z0-9]+/g) ?? []
  return method.toLowerCase() + words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('')
}
