import type { IocType } from '@manara/soc-contract/iocs'
import { type Candidate, lookUp } from './candidate.ts'

/** Attribute types of MISP, part by part where a bar joins two; null is a part that is no indicator. */
const TYPES: Record<string, (IocType | 'any' | null)[]> = {
  'ip-src': ['any'],
  'ip-dst': ['any'],
  'ip-src|port': ['ip', null],
  'ip-dst|port': ['ip', null],
  domain: ['domain'],
  hostname: ['domain'],
  'hostname|port': ['domain', null],
  'domain|ip': ['domain', 'ip'],
  url: ['url'],
  uri: ['url'],
  md5: ['md5'],
  sha1: ['sha1'],
  sha256: ['sha256'],
  'filename|md5': [null, 'md5'],
  'filename|sha1': [null, 'sha1'],
  'filename|sha256': [null, 'sha256'],
  imphash: ['imphash'],
  'filename|imphash': [null, 'imphash'],
  'malware-sample': [null, 'md5'],
  email: ['email'],
  'email-src': ['email'],
  'email-dst': ['email'],
  vulnerability: ['cve'],
}

// "Not for detection", say those who wrote it.
export const CONTEXT_SCORE = 20

/** The indicators in an attribute of this type; nothing where MISP has no such type, or we none. */
export function partsOf(
  type: string,
  value: string,
): Pick<Candidate, 'type' | 'value'>[] | undefined {
  const parts = lookUp(TYPES, type)
  const texts = value.split(parts && parts.length > 1 ? '|' : '\n')
  return parts?.flatMap((part, place) =>
    part === null ? [] : [{ type: part === 'any' ? undefined : part, value: texts[place] ?? '' }],
  )
}
