import type { Signal } from '@preact/signals'
import { say } from '../here.ts'
import { Act } from './act.tsx'

type ShownOfProps = {
  list: { items: readonly unknown[]; total: number }
  /** `{n} of {all}`. */
  said: string
  limit: Signal<number>
  /** As many as the service gives at once. */
  most: number
}

/** That only some of a list are shown, and the way to more of them. */
export function ShownOf({ list: { items, total }, said, limit, most }: ShownOfProps) {
  const { t, fill, number } = say.value
  if (total <= items.length) return null
  return (
    <p class="soft">
      {fill(said, { n: number(items.length), all: number(total) })}{' '}
      {limit.value < most && (
        <Act
          look="plain"
          onClick={() => {
            limit.value = most
          }}
        >
          {t.more}
        </Act>
      )}
    </p>
  )
}
