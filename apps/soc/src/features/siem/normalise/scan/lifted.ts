import type { Fields } from '../fields.ts'

/** What stands under a prefix, by its own names: `kubernetes.audit.verb` as `verb`. */
export function lifted(fields: Fields, prefix: string): Fields {
  const found: Fields = {}
  for (const name in fields) {
    if (name.startsWith(prefix)) found[name.slice(prefix.length)] = fields[name] ?? null
  }
  return found
}
