import type { Limits } from '../../ports/log-store.ts'

export function deadlineOf({ timeLimitMs }: Limits) {
  const end = timeLimitMs === undefined ? Infinity : performance.now() + timeLimitMs
  return {
    isOver: () => performance.now() >= end,
    partial: {
      reason: 'time_limit' as const,
      detail: `stopped after ${(timeLimitMs ?? 0) / 1_000} s: ask for less time, or for more selective words`,
    },
  }
}
