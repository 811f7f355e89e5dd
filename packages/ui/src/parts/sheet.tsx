import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { comeInFront } from '../in-front.ts'
import { Icon } from './icon.tsx'

export type SheetProps = {
  title: string
  closeLabel: string
  /** Without it, only what is in it closes it: for what is shown this once. */
  onClose?: (() => void) | undefined
  /** Nothing of the page is seen behind it. */
  isOpaque?: boolean
  children: ComponentChildren
}

const TYPED =
  'input:not([type=radio], [type=checkbox], [type=range], [type=file], [readonly]), textarea, select'

const UNSENT = `form :is(${TYPED})`

/** Opens it where one types; a browser would begin at the button that closes it. */
function showReady(dialog: HTMLDialogElement) {
  dialog.showModal()
  // On a phone the keyboard of the screen would cover what is asked.
  const isTouched = matchMedia('(pointer: coarse)').matches
  const field = isTouched ? null : dialog.querySelector<HTMLElement>(TYPED)
  ;(field ?? dialog).focus()
}

/** What covers the page until it is answered: from below on a phone, in the middle on a desk. */
export function Sheet({ title, closeLabel, onClose, isOpaque, children }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const notices = useRef<HTMLDivElement>(null)
  const isPressedBeside = useRef(false)
  const isTypedIn = useRef(false)
  const id = useId()
  useLayoutEffect(() => {
    const element = dialog.current
    if (!element || !notices.current) return
    showReady(element)
    const goBack = comeInFront(notices.current)
    return () => {
      goBack()
      // Closed before it is taken away, so that the focus goes back to where it came from.
      element.close()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself
    <dialog
      ref={dialog}
      class="sheet"
      data-opaque={isOpaque}
      tabIndex={-1}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose?.()
      }}
      onClose={() => {
        // A browser that was not touched in between closes it without asking.
        if (!dialog.current?.isConnected) return
        if (onClose) onClose()
        else showReady(dialog.current)
      }}
      onInput={({ target }) => {
        isTypedIn.current ||= (target as Element).matches(UNSENT)
      }}
      onPointerDown={(event) => {
        // What was typed to be sent does not go with a touch beside it; Escape and buttons are meant.
        isPressedBeside.current = event.target === dialog.current && !isTypedIn.current
      }}
      onClick={(event) => {
        // Who selects a text and lets go beside the sheet has not asked for its end, nor has the
        // second click of two on what opened it.
        const isMeant = isPressedBeside.current && event.detail < 2
        if (event.target === dialog.current && isMeant) onClose?.()
      }}
    >
      <div class="sheet-inner">
        <header class="sheet-head">
          <h2 id={id}>{title}</h2>
          {onClose && (
            <button type="button" class="button-round" aria-label={closeLabel} onClick={onClose}>
              <Icon name="close" />
            </button>
          )}
        </header>
        {children}
      </div>
      <div ref={notices} class="notices" />
    </dialog>
  )
}
