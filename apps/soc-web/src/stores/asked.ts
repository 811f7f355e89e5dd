import type { Memory } from '@manara/ui/preferences'
import { signal } from '@preact/signals'

/** A run that a person asked for and that waits for an approval. */
export type Asked = {
  approvalId: string
  playbookId: string
  /** What will be run, and what for: shown again, never sent again. */
  parameters: Record<string, unknown>
  at: number
}

const KEY = 'asked'
/** As long as an approval can be used. */
const KEPT_MS = 4 * 3_600_000
const MOST = 50

type Kept = { owner: string; asked: Asked[] }

/**
 * What this person asked for in this tab. Who may not read approvals has no other way to know of
 * theirs than the answer that named it.
 */
export function createAsked(deps: { memory: Memory; now(): number; owner(): string }) {
  const list = signal<Asked[] | null>(null)

  function read(): Asked[] {
    let kept: Partial<Kept> = {}
    try {
      kept = JSON.parse(deps.memory.getItem(KEY) ?? '{}')
    } catch {
      // Nothing that we wrote.
    }
    return kept.owner === deps.owner() ? (kept.asked ?? []) : []
  }
  function write(asked: Asked[]) {
    list.value = asked
    const whole: Kept = { owner: deps.owner(), asked }
    deps.memory.setItem(KEY, JSON.stringify(whole))
  }
  const standing = () => (list.value ?? read()).filter(({ at }) => deps.now() - at < KEPT_MS)
  const without = (id: string) => standing().filter(({ approvalId }) => approvalId !== id)

  return {
    of: (playbookId: string) => standing().filter((one) => one.playbookId === playbookId),
    /** Asked for again while it waits, it is still one. */
    add: (one: Omit<Asked, 'at'>) =>
      write([...without(one.approvalId), { ...one, at: deps.now() }].slice(-MOST)),
    drop: (id: string) => write(without(id)),
  }
}
