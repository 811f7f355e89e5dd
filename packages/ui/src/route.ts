import { batch, signal } from '@preact/signals'

export type RouteDeps = {
  location: Pick<Location, 'pathname' | 'origin' | 'search'>
  history: Pick<History, 'pushState' | 'replaceState'>
  onBack(then: () => void): void
  onChange(): void
}

/** The path of the page, what is asked behind it, and links that change both without loading anew. */
export function createRoute({ location, history, onBack, onChange }: RouteDeps) {
  const path = signal(location.pathname)
  const search = signal(location.search)
  const look = () => {
    const isNew = path.value !== location.pathname
    batch(() => {
      search.value = location.search
      path.value = location.pathname
    })
    if (isNew) onChange()
  }
  onBack(look)

  function go(to: string, how: 'push' | 'replace' = 'push') {
    if (how === 'push') history.pushState(null, '', to)
    else history.replaceState(null, '', to)
    look()
  }

  return {
    path,
    search,
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
      // Further in, a dot is part of a name.
      if (/^\/(api\b|[^/]*\.\w+$)/.test(link.pathname)) return
      event.preventDefault()
      const isHere = link.pathname === location.pathname && link.search === location.search
      // Past what stands before the content of this page: no step for Back.
      if (link.hash && isHere) onChange()
      else go(link.pathname + link.search)
    },
  }
}
