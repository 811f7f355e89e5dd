import type { CaseDetail } from '@manara/soc-contract/cases'
import { type Signal, signal, useSignal } from '@preact/signals'
import { type ComponentChildren, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { Act } from '../../parts/act.tsx'
import { useWords } from './words.ts'

/** A case of thousands of entries must not freeze its page, nor come whole over the network. */
export const AT_ONCE = 50

/** How many of each list of the case are asked for. */
export const Asked = createContext<Signal<number>>(signal(AT_ONCE))

/** How many there are, of which the last came. */
export const countOf = (found: CaseDetail, list: keyof NonNullable<CaseDetail['counts']>) =>
  found.counts?.[list] ?? found[list].length

type LatestProps<Item> = {
  /** The last of them, in the order they were added. */
  items: readonly Item[]
  /** How many there are. */
  total: number
  children(latest: Item[]): ComponentChildren
}

/** The last of them; those before come when they are asked for. */
export function Latest<Item>({ items, total, children }: LatestProps<Item>) {
  const shown = useSignal(AT_ONCE)
  return (
    <>
      <Earlier n={total - Math.min(items.length, shown.value)} of={shown} />
      {children(items.slice(-shown.value))}
    </>
  )
}

/** How many are not shown yet, and the way to some more. */
export function Earlier({ n, of }: { n: number; of: Signal<number> }) {
  const { w, count, number } = useWords()
  const asked = useContext(Asked)
  if (n <= 0) return null
  return (
    <Act
      look="plain"
      onClick={() => {
        of.value += AT_ONCE
        asked.value = Math.max(asked.value, of.value)
      }}
    >
      {count(w.earlier, Math.min(n, AT_ONCE), { all: number(n) })}
    </Act>
  )
}
