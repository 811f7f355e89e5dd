import {
  type Bom,
  hashOf,
  isRecord,
  MOST_COMPONENTS,
  type ParsedComponent,
  type Problem,
  type Skipped,
  textOf,
} from './parsed.ts'

const DOCUMENT = 'SPDXRef-DOCUMENT'
const NOT_SAID = /^(NOASSERTION|NONE)$/

/** SPDX 2.2 and 2.3 as JSON: the package it describes is the firmware, the others are its parts. */
export function parseSpdx(file: Record<string, unknown>): Bom | Problem {
  const { packages = [] } = file
  if (!Array.isArray(packages)) return { problem: 'packages: must be a list' }
  if (packages.length > MOST_COMPONENTS) {
    return { problem: `packages: has more than ${MOST_COMPONENTS}` }
  }
  const described = describedBy(file)
  const components: ParsedComponent[] = []
  const skipped: Skipped[] = []
  let main: Record<string, unknown> = {}
  for (const [at, one] of packages.entries()) {
    const name = isRecord(one) ? textOf(one.name, 300) : null
    if (!isRecord(one) || name === null) {
      const reason = isRecord(one) ? 'name: is missing' : 'is no package'
      skipped.push({ place: `packages[${at}]`, reason })
    } else if (one.SPDXID === described) main = one
    else components.push(componentOf(one, name))
  }
  const created = isRecord(file.creationInfo) ? file.creationInfo.created : undefined
  return {
    about: {
      vendor: supplierOf(main),
      product: textOf(main.name, 200),
      version: said(textOf(main.versionInfo, 100)),
      sha256: sha256In(main.checksums),
      released_at: textOf(main.releaseDate, 40) ?? textOf(created, 40),
    },
    components,
    skipped,
  }
}

/** Named straight, or by a relationship. */
function describedBy(file: Record<string, unknown>): unknown {
  const { documentDescribes, relationships } = file
  if (Array.isArray(documentDescribes) && documentDescribes.length > 0) return documentDescribes[0]
  for (const one of Array.isArray(relationships) ? relationships : []) {
    if (!isRecord(one)) continue
    const { relationshipType: kind, spdxElementId: from, relatedSpdxElement: to } = one
    if (kind === 'DESCRIBES' && from === DOCUMENT) return to
    if (kind === 'DESCRIBED_BY' && to === DOCUMENT) return from
  }
  return undefined
}

function componentOf(one: Record<string, unknown>, name: string): ParsedComponent {
  return {
    name,
    version: said(textOf(one.versionInfo, 200)),
    type: textOf(one.primaryPackagePurpose, 50)?.toLowerCase() ?? null,
    supplier: supplierOf(one),
    purl: referenceOf(one, /^purl$/, 1_000),
    cpe: referenceOf(one, /^cpe2[23]Type$/, 500),
    license: said(textOf(one.licenseConcluded, 500)) ?? said(textOf(one.licenseDeclared, 500)),
    sha256: sha256In(one.checksums),
  }
}

const said = (text: string | null) => (text !== null && NOT_SAID.test(text) ? null : text)

/** `Organization: Wadi Controls (mail@example)`. */
const supplierOf = ({ supplier, originator }: Record<string, unknown>) =>
  (said(textOf(supplier, 200)) ?? said(textOf(originator, 200)))
    ?.replace(/^(Organization|Person|Tool):\s*/, '')
    .replace(/\s*\([^()]*\)$/, '') ?? null

function referenceOf(one: Record<string, unknown>, type: RegExp, most: number): string | null {
  if (!Array.isArray(one.externalRefs)) return null
  const own = one.externalRefs.find(
    (ref) => isRecord(ref) && typeof ref.referenceType === 'string' && type.test(ref.referenceType),
  )
  return isRecord(own) ? textOf(own.referenceLocator, most) : null
}

function sha256In(checksums: unknown): string | null {
  if (!Array.isArray(checksums)) return null
  const own = checksums.find((one) => isRecord(one) && one.algorithm === 'SHA256')
  return isRecord(own) ? hashOf(own.checksumValue) : null
}
