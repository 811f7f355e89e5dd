import type { FastifyReply } from 'fastify'

/** 200 and the record exactly as the route would have answered it, plus `"preview": true`. */
export function sendAsPreview(reply: FastifyReply): void {
  const asAnswered = reply.getSerializationFunction(String(reply.statusCode))
  // Fastify names the type only of what it serializes itself.
  reply.type('application/json; charset=utf-8')
  reply.code(200).serializer((record) => {
    const body = asAnswered ? asAnswered(record as Record<string, unknown>) : JSON.stringify(record)
    return JSON.stringify({ ...JSON.parse(String(body)), preview: true })
  })
}
