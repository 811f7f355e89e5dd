import {
  FirmwareCreate,
  type FirmwareImportQuery,
  type FirmwareImportResult,
} from '@manara/soc-contract/firmware'
import { parseCsv } from './parse-csv.ts'
import { parseCyclonedx } from './parse-cyclonedx.ts'
import { parseSpdx } from './parse-spdx.ts'
import {
  type Bom,
  firstIssue,
  isRecord,
  type Parsed,
  type ParsedFirmware,
  type Problem,
} from './parsed.ts'

export type ImportFile = { text: string; isCsv: boolean; about: FirmwareImportQuery }

export type ReadImport =
  | Problem
  | (Exclude<Parsed, Problem> & { format: FirmwareImportResult['format'] })

/** Recognises and checks what a file holds; all of it is plain computing, and may be much. */
export function readImport({ text, isCsv, about }: ImportFile): ReadImport {
  if (isCsv) return withFormat('csv', parseCsv(text))
  let file: unknown
  try {
    file = JSON.parse(text)
  } catch (error) {
    return { problem: `body: is not valid JSON: ${(error as Error).message}` }
  }
  if (isRecord(file) && file.bomFormat === 'CycloneDX') {
    return withFormat('cyclonedx', bomOf(parseCyclonedx(file), about))
  }
  if (isRecord(file) && typeof file.spdxVersion === 'string') {
    if (!/^SPDX-2\./.test(file.spdxVersion)) {
      return { problem: `spdxVersion: ${file.spdxVersion.slice(0, 20)} is not read, SPDX-2.x is` }
    }
    return withFormat('spdx', bomOf(parseSpdx(file), about))
  }
  return {
    problem:
      'body: is neither CycloneDX (bomFormat) nor SPDX 2 (spdxVersion) as JSON; send CSV as text/csv',
  }
}

const withFormat = (format: FirmwareImportResult['format'], parsed: Parsed): ReadImport =>
  'problem' in parsed ? parsed : { ...parsed, format }

/** What the caller says of the firmware wins over what the file says. */
function bomOf(bom: Bom | Problem, asked: FirmwareImportQuery): Parsed {
  if ('problem' in bom) return bom
  const said = Object.entries({ ...bom.about, ...asked }).filter(([, value]) => value !== null)
  const about = Object.fromEntries(said)
  for (const field of ['vendor', 'product', 'version', 'sha256'] as const) {
    if (about[field] === undefined) {
      return {
        problem: `${field}: the file does not say it of its main part; send it as ?${field}=`,
      }
    }
  }
  if (Number.isNaN(Date.parse(about.released_at ?? ''))) delete about.released_at
  else about.released_at = new Date(about.released_at ?? 0).toISOString()
  const read = FirmwareCreate.safeParse(about)
  if (!read.success) return { problem: firstIssue(read.error) }
  const { components, skipped } = bom
  const firmware: ParsedFirmware = {
    ...read.data,
    place: 'file',
    ...(components ? { components } : {}),
  }
  return { firmware: [firmware], skipped }
}
