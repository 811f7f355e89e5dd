import { z } from 'zod'

/** Names are for the API document; a schema that stands alone has everything in its place. */
const withoutNames = Object.assign(z.registry<z.core.GlobalMeta>(), {
  get(schema: z.core.$ZodType) {
    const { id: _, ...meta } = z.globalRegistry.get(schema) ?? {}
    return meta
  },
})

/** As models and tool clients take it: an object with its properties, and no references. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, metadata: withoutNames })
  return rest
}
