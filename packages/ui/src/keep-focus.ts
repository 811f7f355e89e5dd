const TAKES_FOCUS =
  ':is(a[href], button, input, select, textarea, summary, [tabindex="0"]):not(:disabled, [type=hidden])'

type Place = { element: Element; after: Element | null; before: Element | null }

/**
 * What has the keyboard may go: a row that was deleted, a form that was sent, a button that has
 * nothing more to do. Browsers then begin at the top of the page, and say nothing. The keyboard goes
 * on beside it instead. Who points is left alone: nothing scrolls or opens a keyboard for them.
 */
export function keepFocus(page: Document) {
  let isPointed = false
  /** Where the keyboard was last, from the inside out, and where on the page below any dialog. */
  let last: Place[] = []
  let below: Place[] = []

  page.addEventListener('pointerdown', () => (isPointed = true), true)
  page.addEventListener('keydown', () => (isPointed = false), true)
  page.addEventListener('focusin', ({ target }) => {
    last = placesOf(target as Element)
    if (!(target as Element).closest('dialog')) below = last
  })

  function look() {
    const [at] = last
    if (!at || isPointed || !isLost(page, at.element)) return
    // What opened a dialog is further in than what the dialog stands beside; open, it lets nothing out.
    goOn(last === below || isInDialog(last) ? last : below)?.focus()
  }
  new MutationObserver(look).observe(page.body, {
    ...{ childList: true, subtree: true },
    attributeFilter: ['disabled'],
  })
}

/** Gone, or about to lose it: a browser takes it from a disabled button a little later. */
const isLost = (page: Document, element: Element) =>
  element.isConnected
    ? page.activeElement === element && element.matches(':disabled')
    : page.activeElement === page.body || page.activeElement === null

const isInDialog = (places: Place[]) =>
  places.some(({ element }) => element.isConnected && element.matches('dialog[open]'))

function placesOf(inner: Element): Place[] {
  const places: Place[] = []
  for (let at: Element | null = inner; at && at !== at.ownerDocument.body; at = at.parentElement) {
    places.push({ element: at, after: at.nextElementSibling, before: at.previousElementSibling })
  }
  return places
}

/** Where it was, if that is still there; else what comes next, before it, or around both. */
function goOn(places: Place[]): HTMLElement | undefined {
  const [at] = places
  if (at?.element.isConnected && !at.element.matches(':disabled')) return at.element as HTMLElement
  const kept = places.findIndex(({ element }, depth) => depth > 0 && element.isConnected)
  for (const { element, after, before } of places.slice(Math.max(0, kept - 1))) {
    if (element.id === 'main') return element as HTMLElement
    for (const near of [element, after, before]) {
      const found = near?.isConnected ? firstIn(near) : undefined
      if (found) return found
    }
  }
  return undefined
}

const firstIn = (element: Element) =>
  [element, ...element.querySelectorAll(TAKES_FOCUS)].find(
    (one): one is HTMLElement => one.matches(TAKES_FOCUS) && one.checkVisibility(),
  )
