import { LEAN, NO_KEYS } from '@manara/kit/lean'

/** What was compiled is kept, so that only the first start compiles. */
const CACHE = { NODE_COMPILE_CACHE: 'node_modules/.cache/node' }

/** How each service is started in a checkout. */
export const STARTS = {
  player: { flags: LEAN.flags, env: { ...LEAN.env, ...CACHE } },
  soc: {
    // V8 counts bodies on their way to the store as growth, and would go over the whole heap whenever
    // ten megabytes of them are there: twice a second while events pour in.
    // What is read of events survives a collection now and then, and dies right after it: what V8 takes
    // for long-lived because of that is garbage among the old (ADR 146).
    flags: [
      ...['--max-semi-space-size=8', '--heap-growing-percent=100'],
      ...['--no-allocation-site-pretenuring', NO_KEYS],
    ],
    // Arenas for the threads of the pool: in a single one the statements of a search wait for each other.
    // The log store alone may use six of these threads: four read, one writes, one settles.
    env: { MALLOC_ARENA_MAX: '4', UV_THREADPOOL_SIZE: '7', ...CACHE },
  },
}
