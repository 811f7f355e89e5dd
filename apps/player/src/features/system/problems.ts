import type { BootFailure } from '@manara/player-contract/system'

export type Problems = ReturnType<typeof createProblems>

/** What of the box does not work now, as its owner reads it under `boot_failures`. */
export function createProblems(found: BootFailure[] = []) {
  const all = [...found]
  const add = (component: string, error: string) => all.push({ component, error })

  return {
    all: () => all,
    add,

    /** The only problem of this component from now on; undefined when it works again. */
    report(component: string, problem: string | undefined) {
      const known = all.findIndex((failure) => failure.component === component)
      if (known >= 0) all.splice(known, 1)
      if (problem !== undefined) add(component, problem)
    },
  }
}
