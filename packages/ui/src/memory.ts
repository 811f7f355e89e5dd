import type { Memory } from './preferences.ts'

/** The browser's memory; where it is refused or full, what is remembered lasts as long as the page. */
export function createMemory(storage: () => Memory): Memory {
  const here = new Map<string, string>()
  const attempt = <T>(use: (memory: Memory) => T, otherwise: T): T => {
    try {
      return use(storage())
    } catch {
      return otherwise
    }
  }
  return {
    getItem: (key) => here.get(key) ?? attempt((memory) => memory.getItem(`manara.${key}`), null),
    setItem(key, value) {
      here.set(key, value)
      attempt((memory) => memory.setItem(`manara.${key}`, value), undefined)
    },
    removeItem(key) {
      here.delete(key)
      attempt((memory) => memory.removeItem(`manara.${key}`), undefined)
    },
  }
}
