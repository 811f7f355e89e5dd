import type { LookingAt } from '@manara/soc-contract/chat'

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** What stands open on the page, read from its address: that is what "this" means in a question. */
export function lookingAt(path: string, search: string): LookingAt {
  const [, page = '', part = ''] = path.split('/')
  const values = new URLSearchParams(search)
  const open = values.get('open') ?? ''
  const host = values.get('host')
  const about: LookingAt = host ? { host: host.slice(0, 255) } : {}
  if (page === 'alerts' && ID.test(open)) return { ...about, alert_id: open }
  if (page === 'cases' && ID.test(part)) return { ...about, case_id: part }
  if (page === 'search' && open) return { ...about, log_id: open.slice(0, 500) }
  return about
}
