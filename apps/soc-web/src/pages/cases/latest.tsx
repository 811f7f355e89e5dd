import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Act } from '../../parts/act.tsx'
import { useWords } from './words.ts'

/** A case of thousands of entries must not freeze its page. */
export const AT_ONCE = 50

type LatestProps<Item> = {
  /** In the order they were added. */
  items: readonly Item[]
  children(latest: Item[]): ComponentChildren
}

/** The last of them; those before are drawn when they are asked for. */
export function Latest<Item>({ items, children }: LatestProps<Item>) {
  const shown = useSignal(AT_ONCE)
  return (
    <>
      <Earlier n={items.length - shown.value} of={shown} />
      {children(items.slice(-shown.value))}
    </>
  )
}

/** How many are not shown yet, and the way to some more. */
export function Earlier({ n, of }: { n: number; of: { value: number } }) {
  const { w, count, number } = useWords()
  if (n <= 0) return null
  return (
    <Act
      look="plain"
      onClick={() => {
        of.value += AT_ONCE
      }}
    >
      {count(w.earlier, Math.min(n, AT_ONCE), { all: number(n) })}
    </Act>
  )
}
