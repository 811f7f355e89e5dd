import { route } from '../here.ts'

/** What is asked behind the path: the whole view is in the address, so that Back and links work. */
export function useQuery() {
  const values = new URLSearchParams(route.search.value)
  return {
    get: (name: string) => values.get(name) ?? '',
    all: (name: string) => values.getAll(name),
    /** Changes some of it; what is empty goes. A view that is only refined takes the place of the last. */
    set(changes: Record<string, string | string[] | null>, how: 'push' | 'replace' = 'push') {
      const next = new URLSearchParams(route.search.value)
      for (const [name, value] of Object.entries(changes)) {
        next.delete(name)
        for (const one of [value ?? []].flat()) if (one !== '') next.append(name, one)
      }
      const text = next.toString()
      // The same once more would be a step on which Back does nothing.
      if (text === new URLSearchParams(route.search.value).toString()) return
      route.go(route.path.value + (text ? `?${text}` : ''), how)
    },
  }
}
