import type { FieldValue } from '@manara/log-query/event'

/** What an event has under the names that Sigma's rules for Windows use, which are Sysmon's. */
export type SysmonNames = Record<string, FieldValue | undefined>

export const accountAs = (domain: string | undefined, name: string | undefined) =>
  domain && name ? `${domain}\\${name}` : name

/** `MD5=…,SHA256=…`; what a sensor left out is all zeros. */
export function hashesAs(hashes: Record<string, string | undefined>): string | undefined {
  const found = Object.entries(hashes).flatMap(([kind, hash]) =>
    hash && !/^0+$/.test(hash) ? [`${kind}=${hash}`] : [],
  )
  return found.join(',') || undefined
}

const HIVES: [RegExp, string][] = [
  [/^\\REGISTRY\\MACHINE\b/i, 'HKLM'],
  [/^\\REGISTRY\\USER\b/i, 'HKU'],
  [/^HKEY_LOCAL_MACHINE\b/i, 'HKLM'],
  [/^HKEY_CURRENT_USER\\(?=S-1-)/i, 'HKU\\'],
  [/^HKEY_CURRENT_USER\b/i, 'HKCU'],
  [/^HKEY_USERS\b/i, 'HKU'],
  [/^HKEY_CLASSES_ROOT\b/i, 'HKCR'],
  [/^(HKLM\\SYSTEM\\)ControlSet00\d\b/i, '$1CurrentControlSet'],
]

export function registryObjectAs(key: string | undefined, value?: string): string | undefined {
  const named = HIVES.reduce((text, [is, as]) => text?.replace(is, as), key)
  return named && value ? `${named}\\${value}` : named
}

/** Numbers are written as `DWORD (0x00000001)`. */
export function registryDetailsAs(
  type: string | undefined,
  data: string | undefined,
): string | undefined {
  const hex = /^\d{1,20}$/.test(data ?? '') ? BigInt(data ?? 0).toString(16) : undefined
  switch (type?.toLowerCase().replace(/^reg_/, '')) {
    case 'dword':
      return hex === undefined ? data : `DWORD (0x${hex.padStart(8, '0')})`
    case 'qword': {
      const all = hex?.padStart(16, '0')
      return all === undefined ? data : `QWORD (0x${all.slice(0, -8)}-0x${all.slice(-8)})`
    }
    case 'binary':
      return 'Binary Data'
    default:
      return data
  }
}
