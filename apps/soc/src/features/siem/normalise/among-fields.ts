import { addressOf } from './addresses.ts'
import { SEVERITY_SCALES } from './common-names.ts'
import type { Fields } from './fields.ts'
import type { NamedColumns } from './named-columns.ts'
import { cut, type Parsed, pick, textOf } from './parsed.ts'
import { severityOf } from './severity.ts'
import type { Common } from './take-common.ts'
import { momentOf } from './timestamps.ts'

export function momentAmong(
  fields: Fields,
  named: NamedColumns,
  object: Parsed | undefined,
  read: Parsed | undefined,
  receivedAt: number,
): number {
  if (object?.at !== undefined) return object.at
  for (const name of named.at ?? []) {
    const at = momentOf(fields[name], receivedAt)
    if (at !== undefined) return at
  }
  return read?.at ?? receivedAt
}

export function sourceAmong(
  { known, index }: { known?: Common | undefined; index?: string | undefined },
  common: Common,
  fields: Fields,
  named: NamedColumns,
  parsed: Parsed | undefined,
): string | undefined {
  const source = known?.source ?? common.source ?? pick(fields, named.source) ?? index
  return cut(source ?? parsed?.source, 200)
}

export function severityAmong(fields: Fields, named: NamedColumns) {
  for (const name of named.severity ?? []) {
    const severity = severityOf(fields[name], SEVERITY_SCALES.get(name))
    if (severity) return severity
  }
  return undefined
}

export function addressAmong(
  name: 'src_ip' | 'dst_ip',
  fields: Fields,
  named: NamedColumns,
  parsed: Parsed | undefined,
) {
  if (parsed?.[name]) return parsed[name]
  for (const place of named[name] ?? []) {
    const found = addressOf(textOf(fields[place]))
    if (found) return found
  }
  return undefined
}
