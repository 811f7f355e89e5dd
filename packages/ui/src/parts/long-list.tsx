import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import {
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'preact/hooks'
import { createRowWindow } from '../row-window.ts'

export type LongListHandle = {
  reveal(index: number): void
  toTop(): void
  isAtTop(): boolean
}

type LongListProps = {
  label: string
  size: number
  rowHeight: number
  headHeight: number
  head: ComponentChildren
  /** The row with the keyboard, for a screen reader. */
  focus: number
  /** Changes when rows must be drawn anew although none was scrolled. */
  edition: unknown
  onWant(first: number, last: number): void
  onPick(index: number, event: MouseEvent): void
  row(index: number): ComponentChildren
  handle: { current: LongListHandle | null }
}

/** Asked for when scrolling slows: rows that fly past are not read. */
const REST_MS = 60

/** A grid of any number of rows, of which a screenful is in the page. */
export function LongList(props: LongListProps) {
  const { size, rowHeight, headHeight, edition, onWant } = props
  const box = useRef<HTMLDivElement>(null)
  const rows = useMemo(() => createRowWindow(rowHeight), [rowHeight])
  const view = useSignal(rows.rows())
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)

  const look = useCallback(() => {
    const element = box.current
    if (!element) return
    rows.resize(size, element.clientHeight - headHeight)
    const next = rows.rows()
    const { first, last, offset } = view.peek()
    if (next.first !== first || next.last !== last || next.offset !== offset) view.value = next
    clearTimeout(timer.current)
    timer.current = setTimeout(() => onWant(next.first, next.last), REST_MS)
  }, [rows, size, headHeight, onWant])

  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const measure = new ResizeObserver(look)
    measure.observe(element)
    return () => measure.disconnect()
  }, [look])
  useEffect(look, [look, edition])
  useEffect(() => () => clearTimeout(timer.current), [])

  const move = (to: number) => {
    if (box.current && box.current.scrollTop !== to) box.current.scrollTop = to
    look()
  }
  useImperativeHandle(props.handle, () => ({
    reveal: (index: number) => move(rows.reveal(index)),
    toTop: () => move(0),
    isAtTop: () => (box.current?.scrollTop ?? 0) < rowHeight,
  }))

  function scrolled() {
    const element = box.current
    if (!element) return
    rows.scrolled(element.scrollTop)
    if (rows.hasStrayed()) element.scrollTop = rows.settled()
    look()
  }

  const { first, last, offset } = view.value
  const places = last - first + 1
  const drawn = Array.from({ length: Math.max(0, places) }, (_, at) => first + at)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the page move over its rows
    // biome-ignore lint/a11y/useSemanticElements: a table would lay out every row
    <div
      class="long-list"
      ref={box}
      tabIndex={0}
      role="grid"
      aria-label={props.label}
      aria-rowcount={size + 1}
      aria-multiselectable="true"
      aria-activedescendant={size > 0 ? `row-${props.focus}` : undefined}
      onScroll={scrolled}
      onClick={(event) => {
        const row = (event.target as Element).closest<HTMLElement>('[data-index]')
        if (row) props.onPick(Number(row.dataset.index), event)
      }}
    >
      {props.head}
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      <div class="long-list-rows" role="rowgroup" style={{ blockSize: `${rows.height()}px` }}>
        {/* In the order of their places, so that scrolling moves no element in the tree. */}
        {drawn
          .sort((a, b) => (a % places) - (b % places))
          .map((index) => (
            <div
              key={index % places}
              class="long-list-place"
              role="presentation"
              style={{ translate: `0 ${index * rowHeight - offset}px` }}
            >
              {props.row(index)}
            </div>
          ))}
      </div>
    </div>
  )
}
