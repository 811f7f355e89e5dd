import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

type Media = Record<string, { schema?: object; example?: unknown }>
type Parameter = { name: string; in: string; example?: unknown; schema?: { default?: unknown } }

export type Operation = {
  method: string
  path: string
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: Media }
  responses: Record<string, { content?: Media }>
}

export type Document = {
  paths: Record<string, Record<string, Omit<Operation, 'method' | 'path'>>>
  components: { schemas: Record<string, object> }
}

export type Answered = {
  status: number
  type: string
  /** Undefined for a stream, which has no end. */
  body: unknown
}

export const operationsOf = ({ paths }: Document): Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  )

/**
 * A client made of nothing but an OpenAPI document: it sends the examples of the document to its
 * paths, and says what of an answer is not as the document describes it.
 */
export function documentClient(document: Document, base: string, token: string) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  ajv.addSchema({ $id: 'document', components: document.components })
  const compiled = new Map<object, ValidateFunction>()

  function validatorOf(schema: object): ValidateFunction {
    const known = compiled.get(schema)
    if (known) return known
    // References are to the components of the document.
    const absolute = JSON.parse(
      JSON.stringify(schema).replaceAll('"#/components', '"document#/components'),
    ) as object
    const made = ajv.compile(absolute)
    compiled.set(schema, made)
    return made
  }

  async function call(operation: Operation, path: string): Promise<Answered> {
    const [sent] = Object.entries(operation.requestBody?.content ?? {})
    const isText = sent && typeof sent[1].example === 'string'
    const query = new URLSearchParams(
      (operation.parameters ?? [])
        .filter(({ example }) => example !== undefined)
        .map(({ name, example }): [string, string] => [name, String(example)]),
    )
    const reply = await fetch(`${base}${path}?${query}`, {
      method: operation.method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(sent ? { 'content-type': sent[0] } : {}),
      },
      ...(sent ? { body: isText ? String(sent[1].example) : JSON.stringify(sent[1].example) } : {}),
      signal: AbortSignal.timeout(60_000),
    })
    const type = (reply.headers.get('content-type') ?? '').split(';')[0] ?? ''
    if (type === 'text/event-stream') {
      await reply.body?.cancel()
      return { status: reply.status, type, body: undefined }
    }
    const text = await reply.text()
    return {
      status: reply.status,
      type,
      body: /[/+]json$/.test(type) ? JSON.parse(text) : text,
    }
  }

  /** What is not as described; undefined when all is. */
  function complaintOf({ responses }: Operation, answer: Answered): string | undefined {
    const described = responses[answer.status]
    if (!described)
      return `status ${answer.status} is not described: ${JSON.stringify(answer.body)}`
    const content = described.content?.[answer.type]
    if (!content) return `${answer.status} as ${answer.type} is not described`
    if (answer.body === undefined || !content.schema) return undefined
    const isRight = validatorOf(content.schema)
    if (isRight(answer.body)) return undefined
    const [error] = isRight.errors ?? []
    return `${answer.status}: ${error?.instancePath} ${error?.message} ${JSON.stringify(error?.params)}`
  }

  return { call, complaintOf }
}
