import type { Role } from '@manara/soc-contract/permissions'

/** Of people; a service has what its keys say. */
export const PEOPLE: Exclude<Role, 'service'>[] = [
  'viewer',
  'analyst',
  'detection_engineer',
  'responder',
  'manager',
  'auditor',
  'admin',
]

export const nameOfRole = (role: string) => role.replaceAll('_', ' ')
