import { isOutside, isPerson } from './indicator-kinds.ts'

type Alert = {
  id: string
  host: string | null
  user: string | null
  iocs: string[]
  severity: string
}

export type Link = { id: string; why: string }

const lower = (text: string | null) => text?.toLowerCase() ?? null
const isGrave = ({ severity }: Alert) => severity === 'high' || severity === 'critical'

/**
 * Which of the others belong to the same story: the same person on the same host, an indicator that
 * means something elsewhere too, or, where nobody is named, grave alerts of one host.
 */
export function relatedTo(alert: Alert, others: Alert[]): Link[] {
  const outside = new Set(alert.iocs.filter(isOutside).map((ioc) => ioc.toLowerCase()))
  return others.flatMap((other) => {
    if (other.id === alert.id) return []
    const isSameHost = alert.host !== null && lower(alert.host) === lower(other.host)
    const isSamePerson = isPerson(alert.user) && lower(alert.user) === lower(other.user)
    if (isSameHost && isSamePerson) {
      return [{ id: other.id, why: `the same person (${alert.user}) on ${alert.host}` }]
    }
    const shared = other.iocs.find((ioc) => outside.has(ioc.toLowerCase()))
    if (shared) return [{ id: other.id, why: `the same indicator ${shared}` }]
    const isNobody = !isPerson(alert.user) || !isPerson(other.user)
    if (isSameHost && isNobody && isGrave(alert) && isGrave(other)) {
      return [{ id: other.id, why: `the same host ${alert.host}` }]
    }
    return []
  })
}
