import { signal } from '@preact/signals'

export type RouteDeps = {
  location: Pick<Location, 'pathname' | 'origin'>
  history: Pick<History, 'pushState' | 'replaceState'>
  onBack(then: () => void): void
  onChange(): void
}

/** The path of the page, and links that change it without loading the page anew. */
export function createRoute({ location, history, onBack, onChange }: RouteDeps) {
  const path = signal(location.pathname)
  const look = () => {
    if (path.value === location.pathname) return
    path.value = location.pathname
    onChange()
  }
  onBack(look)

  function go(to: string, how: 'push' | 'replace' = 'push') {
    if (how === 'push') history.pushState(null, '', to)
    else history.replaceState(null, '', to)
    look()
  }

  return {
    path,
    go,
    /** For clicks anywhere: takes those on links of our own that were meant to stay in this tab. */
    follow(event: MouseEvent) {
      if (event.defaultPrevented || event.button !== 0) return
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
      const link = (event.target as Element | null)?.closest?.('a')
      if (
        !link ||
        link.origin !== location.origin ||
        link.target ||
        link.hasAttribute('download')
      ) {
        return
      }
      // What the server answers itself, such as /api/docs and /ca.crt, is no page of ours.
      if (/^\/api\b|\.\w+$/.test(link.pathname)) return
      event.preventDefault()
      go(link.pathname)
    },
  }
}
