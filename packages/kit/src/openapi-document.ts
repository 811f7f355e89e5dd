import type { OpenAPIV3_1 } from 'openapi-types'
import { tidyComponents } from './openapi-components.ts'
import { type ExampleSource, exampleOf, type Schema } from './openapi-example.ts'

type Content = { schema?: Schema; example?: unknown }

/** By media type. */
type Media = Record<string, Content>

export type Contents = {
  body?: Media
  /** By status. Errors are given too where they are of another shape than everybody's. */
  answers?: Record<number, { description: string; content: Media }>
}

type Description = {
  errorField: string
  examples?: Record<string, unknown>
  samples?: Record<string, unknown>
  contents?: Record<string, Contents>
  errorWords?: Record<number, string>
}

type Operation = {
  parameters?: {
    in: string
    required?: boolean
    name: string
    schema?: Schema
    example?: unknown
  }[]
  requestBody?: { required?: boolean; content: Media }
  responses: Record<string, { description?: string; content?: Media }>
}

const WORDS: Record<number, string> = {
  400: 'The request is malformed: the message begins with the name of the field',
  401: 'Nobody is signed in, or the token is over',
  403: 'The caller may not do this',
  404: 'There is no such record, or it is not shared with the caller',
  409: 'It contradicts what is there, or the runtime mode',
  429: 'Too many requests: Retry-After says when to come again',
  503: 'An engine is away: nothing was done, and the call may be repeated',
}

/** What no schema of a route says: errors by name, bodies that are no JSON, and an example of each. */
export function completeDocument(
  document: OpenAPIV3_1.Document,
  { errorField, examples = {}, samples = {}, contents = {}, errorWords = {} }: Description,
): OpenAPIV3_1.Document {
  const error = {
    type: 'object',
    description: 'What was wrong, in words',
    required: [errorField],
    properties: { [errorField]: { type: 'string' } },
  }
  const schemas = { ...(document.components?.schemas as Record<string, Schema>), Error: error }
  const source = { schemas, samples: { ...samples, [errorField]: 'title: is required' } }
  const words = { ...WORDS, ...errorWords }
  for (const [path, operations] of Object.entries(document.paths ?? {})) {
    for (const [method, operation] of Object.entries(operations as Record<string, Operation>)) {
      const name = `${method.toUpperCase()} ${path}`
      if (typeof operation !== 'object' || !operation.responses) continue
      tellContents(operation, contents[name])
      for (const [status, response] of Object.entries(operation.responses)) {
        response.description = words[Number(status)] ?? tellSuccess(response.description)
        if (Number(status) > 400) exemplifyError(response, errorField)
      }
      giveExamples(operation, source, examples[name])
    }
  }
  const tidy = tidyComponents(document.paths ?? {}, schemas)
  return {
    ...document,
    paths: tidy.paths,
    components: { ...document.components, schemas: tidy.schemas as never },
  }
}

const tellSuccess = (description: string | undefined) =>
  !description || description === 'Default Response' ? 'Done' : description

function exemplifyError({ description, content }: Operation['responses'][string], field: string) {
  for (const one of Object.values(content ?? {})) {
    if (one.schema?.$ref === '#/components/schemas/Error') one.example ??= { [field]: description }
  }
}

function tellContents(operation: Operation, contents: Contents | undefined) {
  if (contents?.body) {
    const content = { ...operation.requestBody?.content, ...contents.body }
    operation.requestBody = { required: true, content }
  }
  for (const [status, answer] of Object.entries(contents?.answers ?? {})) {
    operation.responses[status] = answer
  }
}

function giveExamples(operation: Operation, source: ExampleSource, example: unknown) {
  for (const parameter of operation.parameters ?? []) {
    if (!parameter.required || parameter.in !== 'query') continue
    const named = { properties: { [parameter.name]: parameter.schema ?? {} } }
    const made = exampleOf(named, source, 'answered') as Record<string, unknown>
    parameter.example = made[parameter.name]
  }
  for (const content of Object.values(operation.requestBody?.content ?? {})) {
    content.example ??= example ?? exampleOf(content.schema ?? {}, source, 'sent')
  }
  for (const { content } of Object.values(operation.responses)) {
    for (const one of Object.values(content ?? {})) {
      one.example ??= exampleOf(one.schema ?? {}, source, 'answered')
    }
  }
}
