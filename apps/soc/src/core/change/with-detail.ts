import type { ChangeContext } from './operator-change.ts'

/** The same change, whose entries in the audit log say `detail`. */
export const withDetail = (change: ChangeContext, detail: string): ChangeContext => ({
  ...change,
  audit: (entry) => change.audit({ detail, ...entry }),
})
