import type { Permission, Role } from '@manara/soc-contract/permissions'

export type AdminPart = {
  name:
    | 'sources'
    | 'parsers'
    | 'users'
    | 'second-factor'
    | 'single-sign-on'
    | 'api-keys'
    | 'secrets'
    | 'retention'
    | 'audit'
    | 'sites'
  needs?: Permission
  admins?: true
}

/** In the order in which they are shown, with who sees them. */
export const ADMIN_PARTS: AdminPart[] = [
  { name: 'sources', needs: 'siem:read' },
  { name: 'parsers', needs: 'siem:read' },
  { name: 'users', admins: true },
  { name: 'second-factor' },
  { name: 'single-sign-on', admins: true },
  { name: 'api-keys', admins: true },
  { name: 'secrets', needs: 'soar:manage' },
  { name: 'retention', needs: 'siem:read' },
  { name: 'audit', needs: 'audit:read' },
  { name: 'sites', needs: 'sites:read' },
]

export const maySee = (
  { needs, admins }: AdminPart,
  role: Role | undefined,
  may: (permission: Permission) => boolean,
): boolean => (admins ? role === 'admin' : needs === undefined || may(needs))
