import { z } from 'zod'

export const Role = z.enum([
  'viewer',
  'analyst',
  'detection_engineer',
  'responder',
  'manager',
  'auditor',
  'service',
  'admin',
])
export type Role = z.infer<typeof Role>

type Grant = { allows: string; roles: readonly Role[] }

const READERS = [
  'viewer',
  'analyst',
  'detection_engineer',
  'responder',
  'manager',
  'auditor',
] as const
const ANALYSTS = ['analyst', 'detection_engineer', 'responder', 'manager'] as const
const ENGINEERS = ['detection_engineer', 'manager'] as const
const RESPONDERS = ['responder', 'manager'] as const
const MANAGERS = ['manager'] as const

/**
 * Who may do what: the server checks by this table and the page in the docs is made from it.
 * `admin` has every permission; `service` has none of its own, its API keys carry explicit scopes.
 */
export const GRANTS = {
  'alerts:read': { allows: 'list and read alerts', roles: READERS },
  'alerts:write': { allows: 'create, change, promote and link alerts', roles: ANALYSTS },
  'cases:read': { allows: 'read cases, their evidence and its ledger', roles: READERS },
  'cases:write': { allows: 'create, change and merge cases', roles: ANALYSTS },
  'cases:delete': { allows: 'delete cases', roles: MANAGERS },
  'agents:read': { allows: 'list agents, their runs, findings and proposals', roles: READERS },
  'agents:manage': { allows: 'enable, disable, deploy, scale and pause agents', roles: MANAGERS },
  'investigation:trigger': { allows: 'start an investigation, decide proposals', roles: ANALYSTS },
  'sites:read': { allows: 'list sites', roles: READERS },
  'sites:manage': {
    allows: 'create, change and remove sites, say which endpoints stand there',
    roles: MANAGERS,
  },
  'siem:read': { allows: 'read log events, sources and statistics', roles: READERS },
  'siem:search': { allows: 'save and run hunts, run rules over the logs', roles: ANALYSTS },
  'siem:manage': {
    allows: 'write parsers, switch them on and off, read stored events again',
    roles: ENGINEERS,
  },
  'siem:ingest': { allows: 'send log events', roles: [] },
  'detections:read': { allows: 'read rules, runs and metrics', roles: READERS },
  'detections:write': { allows: 'write rules, suppressions and feedback', roles: ENGINEERS },
  'edr:read': { allows: 'read endpoints', roles: READERS },
  'edr:manage': { allows: 'isolate, release and scan endpoints', roles: RESPONDERS },
  'soar:read': { allows: 'read response playbooks, executions and rules', roles: READERS },
  'soar:manage': { allows: 'write playbooks, switch them and rules on and off', roles: MANAGERS },
  'soar:execute': { allows: 'execute response playbooks', roles: RESPONDERS },
  'playbooks:read': { allows: 'read playbooks and their executions', roles: READERS },
  'playbooks:execute': { allows: 'execute playbooks', roles: ANALYSTS },
  'cps:read': { allows: 'read devices, attestations, correlations, firmware', roles: READERS },
  'cps:manage': {
    allows: 'enrol and revoke devices, write firmware and the networks of zones',
    roles: RESPONDERS,
  },
  'approvals:manage': { allows: 'read and decide approvals', roles: MANAGERS },
  'reports:read': { allows: 'read reports', roles: READERS },
  'iocs:read': { allows: 'read indicators', roles: READERS },
  'iocs:write': { allows: 'write indicators', roles: ANALYSTS },
  'stats:read': { allows: 'read statistics', roles: READERS },
  'audit:read': { allows: 'read and verify the audit log', roles: ['auditor'] },
  'metrics:read': { allows: 'read service metrics with an API key', roles: [] },
} as const satisfies Record<string, Grant>

export type Permission = keyof typeof GRANTS
export const PERMISSIONS = Object.keys(GRANTS) as [Permission, ...Permission[]]
export const Permission = z.enum(PERMISSIONS)

/**
 * What a machine may change with an API key that has the scope. Acting on other systems, deciding,
 * deleting cases and administering stay with people who sign in.
 */
export const OPEN_TO_KEYS: ReadonlySet<Permission> = new Set([
  'alerts:read',
  'alerts:write',
  'iocs:read',
  'iocs:write',
  'cases:write',
  'detections:read',
  'detections:write',
  'siem:ingest',
])

const BY_ROLE = new Map<Role, ReadonlySet<Permission>>(
  Role.options.map((role) => [role, new Set(PERMISSIONS.filter((name) => holds(role, name)))]),
)

function holds(role: Role, permission: Permission): boolean {
  const { roles }: Grant = GRANTS[permission]
  return role === 'admin' || roles.includes(role)
}

export function permissionsOf(role: Role): ReadonlySet<Permission> {
  return BY_ROLE.get(role) ?? new Set()
}
