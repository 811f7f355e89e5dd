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
  /** Whether a pointer is over its rows: what moved there would be clicked instead. */
  isPointedAt(): boolean
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
  /** What is put on paper, which nobody scrolls; without it what is in view. */
  printed?: { first: number; last: number } | undefined
  handle: { current: LongListHandle | null }
}

/** Rows that fly past are not read: they are asked for when scrolling rests, … */
const REST_MS = 60
/** … and now and then while it goes slowly, so that a reader meets no blank ones. */
const ON_THE_WAY_MS = 150
const AHEAD = 60

/** A grid of any number of rows, of which a screenful is in the page. */
export function LongList(props: LongListProps) {
  const { size, rowHeight, headHeight, edition, onWant } = props
  const box = useRef<HTMLDivElement>(null)
  const rows = useMemo(() => createRowWindow(rowHeight), [rowHeight])
  const view = useSignal(rows.rows())
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const passed = useRef({ at: 0, first: 0 })
  const isPrinting = usePrinting()

  const ask = useCallback(() => {
    const { first, last } = view.peek()
    onWant(Math.max(0, first - AHEAD), Math.max(last, Math.min(size - 1, last + AHEAD)))
  }, [size, onWant])

  const look = useCallback(
    (pauseMs: number) => {
      const element = box.current
      // On paper it is as high as its rows, which are no more for that.
      if (!element || isPrinting.peek()) return
      rows.resize(size, element.clientHeight - headHeight)
      const next = rows.rows()
      const { first, last, offset } = view.peek()
      if (next.first !== first || next.last !== last || next.offset !== offset) view.value = next
      clearTimeout(timer.current)
      if (pauseMs > 0) timer.current = setTimeout(ask, pauseMs)
      else ask()
    },
    [rows, size, headHeight, ask],
  )

  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const measure = new ResizeObserver(() => look(0))
    measure.observe(element)
    return () => measure.disconnect()
  }, [look])
  useLayoutEffect(() => look(0), [look])
  // On paper nothing is scrolled: afterwards it is where it was.
  useLayoutEffect(() => {
    if (!isPrinting.value) move(rows.settled())
  }, [isPrinting.value])
  // With a pause: what arrives while rows fly past must not ask for those.
  useEffect(() => look(REST_MS), [look, edition])
  useEffect(() => () => clearTimeout(timer.current), [])

  const move = (to: number) => {
    if (box.current && box.current.scrollTop !== to) box.current.scrollTop = to
    look(0)
  }
  useImperativeHandle(props.handle, () => ({
    reveal: (index: number) => move(rows.reveal(index)),
    toTop: () => move(0),
    isAtTop: () => (box.current?.scrollTop ?? 0) < rowHeight,
    isPointedAt: () => box.current?.matches(':hover') === true,
  }))

  /** Now and then: whether less than a screenful has gone by since the last time. */
  function isRead(): boolean {
    const { at, first: before } = passed.current
    const now = performance.now()
    if (now - at < ON_THE_WAY_MS) return false
    const { first, last } = rows.rows()
    passed.current = { at: now, first }
    return Math.abs(first - before) <= last - first
  }

  function scrolled() {
    const element = box.current
    if (!element || isPrinting.peek()) return
    const isLeap = rows.scrolled(element.scrollTop)
    if (rows.hasStrayed()) element.scrollTop = rows.settled()
    look(!isLeap && isRead() ? 0 : REST_MS)
  }

  const { first, last, offset } =
    isPrinting.value && props.printed ? { ...props.printed, offset: 0 } : view.value
  const places = last - first + 1
  const drawn = Array.from({ length: Math.max(0, places) }, (_, at) => first + at)
  // In the order of their places, so that scrolling moves no element in the tree.
  if (!isPrinting.value) drawn.sort((a, b) => (a % places) - (b % places))
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
      <div
        class="long-list-rows"
        role="rowgroup"
        style={isPrinting.value ? {} : { blockSize: `${rows.height()}px` }}
      >
        {drawn.map((index) => (
          <div
            key={index % places}
            class="long-list-place"
            role="presentation"
            style={isPrinting.value ? {} : { translate: `0 ${index * rowHeight - offset}px` }}
          >
            {props.row(index)}
          </div>
        ))}
      </div>
    </div>
  )
}

/** Row by row below each other then: what is moved to its place would be cut between two sheets. */
function usePrinting() {
  const isPrinting = useSignal(false)
  useEffect(() => {
    const look = ({ type }: Event) => {
      isPrinting.value = type === 'beforeprint'
    }
    for (const type of ['beforeprint', 'afterprint']) addEventListener(type, look)
    return () => {
      for (const type of ['beforeprint', 'afterprint']) removeEventListener(type, look)
    }
  }, [])
  return isPrinting
}
