/** With them V8 ends a process now and then whose threads compile at once (ADR 150). */
export const NO_KEYS = '--no-memory-protection-keys'

/**
 * How Node is started so that the player fits a small board: the young generation stays small, code
 * is optimised by one compiler instead of two, malloc has one arena and gives large blocks back.
 * Threads for files are more than a dead card can keep for itself, and cost next to nothing.
 * The script `player` in package.json says the same.
 */
export const LEAN = {
  flags: ['--max-semi-space-size=1', '--no-maglev', NO_KEYS],
  env: { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '32768', UV_THREADPOOL_SIZE: '16' },
}
