import type { FieldValue } from '@manara/log-query/event'

type Fields = Record<string, FieldValue>

const PATHS = ['ImageLoaded', 'TargetFilename', 'Image', 'process.executable', 'file.path']
const COMPANIES = ['Company', 'process.pe.company', 'file.pe.company']
const SIGNERS = [
  'Signature',
  'process.code_signature.subject_name',
  'file.code_signature.subject_name',
]
const SIGNED = ['Signed', 'process.code_signature.trusted', 'file.code_signature.trusted']

const MICROSOFT = /^microsoft\b/i
const SYSTEM_FOLDER =
  /^(?:\\\\\?\\)?(?:[a-z]:\\(?:windows|program files\\windows )|%systemroot%\\|\/usr\/(?:s?bin|lib\w*|libexec)\/|\/s?bin\/|\/System\/|\/lib\w*\/)/i
/** Where anybody may write, though it lies inside. */
const WRITABLE = /^[a-z]:\\windows\\(?:temp|tasks|tracing|debug|system32\\spool|fonts)\\/i

/**
 * Whether the file that acted came with the system: it says so in its version information or its
 * signature, wherever it was copied to; without either, it lies where only the system writes. One
 * that is known not to be signed is none.
 */
export function isSystemBinary(fields: Fields): boolean {
  if (first(fields, SIGNED)?.toLowerCase() === 'false') return false
  const said = first(fields, SIGNERS) ?? first(fields, COMPANIES)
  if (said !== undefined) return MICROSOFT.test(said)
  if (COMPANIES.some((name) => fields[name] === '-' || fields[name] === '?')) return false
  const path = first(fields, PATHS)
  return path !== undefined && SYSTEM_FOLDER.test(path) && !WRITABLE.test(path)
}

function first(fields: Fields, names: string[]): string | undefined {
  for (const name of names) {
    const [value] = [fields[name]].flat()
    if (value !== undefined && value !== null && value !== '' && value !== '-' && value !== '?') {
      return String(value)
    }
  }
  return undefined
}
