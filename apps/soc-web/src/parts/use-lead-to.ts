import { useIsHere } from '@manara/ui/use-is-here'
import { notices, route, say } from '../here.ts'

/**
 * Leads to what was made and says so. Who went elsewhere while it was made is not taken from there,
 * nor what they type there: they are told where it is.
 */
export function useLeadTo() {
  const isHere = useIsHere()
  return (to: string, told: string, how?: 'push' | 'replace') => {
    if (!isHere()) {
      return notices.done(told, { label: say.value.t.show, run: () => route.go(to) })
    }
    notices.done(told)
    route.go(to, how)
  }
}
