import { z } from 'zod'

/** A value for every one of the names, each a property of its own: documents list them all. */
export function eachOf<Name extends string, Value extends z.ZodType>(
  { options }: { options: Name[] },
  value: Value,
) {
  const shape = Object.fromEntries(options.map((name) => [name, value]))
  return z.object(shape as Record<Name, Value>)
}
