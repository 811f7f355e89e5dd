/**
 * How Node is started so that a service fits a small board: compiled code is kept (and with it the
 * TypeScript stripper stays out of memory), the young generation and malloc's arenas stay small.
 * The script `player` in package.json says the same.
 */
export const LEAN = {
  flags: ['--max-semi-space-size=1'],
  env: { NODE_COMPILE_CACHE: 'node_modules/.cache/node', MALLOC_ARENA_MAX: '1' },
}
