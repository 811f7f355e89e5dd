import {
  hashOf,
  isRecord,
  MOST_COMPONENTS,
  type ParsedComponent,
  type Problem,
  type Skipped,
  textOf,
} from './parsed.ts'

export type Bom = {
  /** What the file says of the firmware itself. */
  about: {
    vendor: string | null
    product: string | null
    version: string | null
    sha256: string | null
    released_at: string | null
  }
  components: ParsedComponent[]
  skipped: Skipped[]
}

/** CycloneDX 1.2 and later as JSON: components within components are components too. */
export function parseCyclonedx(file: Record<string, unknown>): Bom | Problem {
  const metadata = isRecord(file.metadata) ? file.metadata : {}
  const main = isRecord(metadata.component) ? metadata.component : {}
  if (file.components !== undefined && !Array.isArray(file.components)) {
    return { problem: 'components: must be a list' }
  }
  const components: ParsedComponent[] = []
  const skipped: Skipped[] = []
  const waiting: { one: unknown; place: string }[] = placed(file.components, 'components')
  for (const nested of placed(main.components, 'metadata.component.components')) {
    waiting.push(nested)
  }
  for (let at = 0; at < waiting.length; at += 1) {
    if (waiting.length > MOST_COMPONENTS) {
      return { problem: `components: has more than ${MOST_COMPONENTS}` }
    }
    const { one, place } = waiting[at] ?? { one: null, place: '' }
    const name = isRecord(one) ? textOf(one.name, 300) : null
    if (!isRecord(one) || name === null) {
      skipped.push({ place, reason: isRecord(one) ? 'name: is missing' : 'is no component' })
      continue
    }
    components.push(componentOf(one, name))
    for (const nested of placed(one.components, `${place}.components`)) waiting.push(nested)
  }
  return {
    about: {
      vendor: supplierOf(main) ?? supplierOf(metadata),
      product: textOf(main.name, 200),
      version: textOf(main.version, 100),
      sha256: sha256In(main.hashes),
      released_at: textOf(metadata.timestamp, 40),
    },
    components,
    skipped,
  }
}

const placed = (list: unknown, place: string) =>
  Array.isArray(list)
    ? list.slice(0, MOST_COMPONENTS + 1).map((one, at) => ({ one, place: `${place}[${at}]` }))
    : []

function componentOf(one: Record<string, unknown>, name: string): ParsedComponent {
  const group = textOf(one.group, 200)
  return {
    name: group === null ? name : `${group}/${name}`.slice(0, 300),
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
