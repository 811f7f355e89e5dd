import {
  type Bom,
  cut,
  hashOf,
  isRecord,
  MOST_COMPONENTS,
  type ParsedComponent,
  type Problem,
  type Skipped,
  textOf,
} from './parsed.ts'

/** Each level is named in the place of all below it: without an end these outgrow every memory. */
const MOST_LEVELS = 100

/** CycloneDX 1.2 and later as JSON: components within components are components too. */
export function parseCyclonedx(file: Record<string, unknown>): Bom | Problem {
  const metadata = isRecord(file.metadata) ? file.metadata : {}
  const main = isRecord(metadata.component) ? metadata.component : {}
  if (file.components !== undefined && !Array.isArray(file.components)) {
    return { problem: 'components: must be a list' }
  }
  const components: ParsedComponent[] = []
  const skipped: Skipped[] = []
  const waiting: Placed[] = placed(file.components, 'components')
  for (const nested of placed(main.components, 'metadata.component.components')) {
    waiting.push(nested)
  }
  for (let at = 0; at < waiting.length; at += 1) {
    if (waiting.length > MOST_COMPONENTS) {
      return { problem: `components: has more than ${MOST_COMPONENTS}` }
    }
    const { one, place, depth } = waiting[at] as Placed
    if (depth > MOST_LEVELS) {
      return { problem: `components: lie more than ${MOST_LEVELS} levels deep` }
    }
    const name = isRecord(one) ? textOf(one.name, 300) : null
    if (!isRecord(one) || name === null) {
      skipped.push({ place, reason: isRecord(one) ? 'name: is missing' : 'is no component' })
      continue
    }
    components.push(componentOf(one, name))
    const nested = placed(one.components, `${place}.components`, depth + 1)
    for (const part of nested) waiting.push(part)
  }
  return {
    about: {
      vendor: supplierOf(main) ?? supplierOf(metadata),
      product: textOf(main.name, 200),
      version: textOf(main.version, 100),
      sha256: sha256In(main.hashes),
      released_at: textOf(metadata.timestamp, 40),
    },
    components: (file.components ?? main.components) ? components : undefined,
    skipped,
  }
}

type Placed = { one: unknown; place: string; depth: number }

const placed = (list: unknown, place: string, depth = 1): Placed[] =>
  Array.isArray(list)
    ? list
        .slice(0, MOST_COMPONENTS + 1)
        .map((one, at) => ({ one, place: `${place}[${at}]`, depth }))
    : []

function componentOf(one: Record<string, unknown>, name: string): ParsedComponent {
  const group = textOf(one.group, 200)
  return {
    name: group === null ? name : cut(`${group}/${name}`, 300),
    version: textOf(one.version, 200),
    type: textOf(one.type, 50),
    supplier: supplierOf(one),
    purl: textOf(one.purl, 1_000),
    cpe: textOf(one.cpe, 500),
    license: licenseOf(one.licenses),
    sha256: sha256In(one.hashes),
  }
}

function supplierOf(one: Record<string, unknown>): string | null {
  const names = [one.manufacturer, one.supplier, one.manufacture].map((who) =>
    isRecord(who) ? textOf(who.name, 200) : null,
  )
  return names.find((name) => name !== null) ?? textOf(one.publisher, 200)
}

function sha256In(hashes: unknown): string | null {
  if (!Array.isArray(hashes)) return null
  const own = hashes.find((hash) => isRecord(hash) && hash.alg === 'SHA-256')
  return isRecord(own) ? hashOf(own.content) : null
}

function licenseOf(licenses: unknown): string | null {
  if (!Array.isArray(licenses)) return null
  const names = licenses.slice(0, 20).flatMap((one) => {
    if (!isRecord(one)) return []
    const { license } = one
    const name = isRecord(license)
      ? (textOf(license.id, 100) ?? textOf(license.name, 100))
      : textOf(one.expression, 200)
    return name ?? []
  })
  return names.length === 0 ? null : names.join(' AND ').slice(0, 500)
}
