/**
 * Comes before and without all other scripts: where one of them is lost on the way, or hangs, the page
 * begins anew by itself as soon as the box answers. Until then it says that it is being opened.
 */
const AGAIN_MS = 3_000
const HANGS_MS = 60_000
const STYLE_MS = 8_000
/** A browser that cannot run the page would begin it anew for ever. */
const MOST = 5
const KEY = 'manara.openings'

const isOpen = () => document.querySelector('.opening') === null

const isAnswering = () =>
  fetch(location.href, { headers: { accept: 'text/html' } }).then(
    ({ ok }) => ok,
    () => false,
  )

async function again() {
  if (isOpen()) return sessionStorage.removeItem(KEY)
  const isThere = await isAnswering()
  if (isOpen()) return
  if (!isThere) setTimeout(again, AGAIN_MS)
  else if (isOneMoreTry()) location.reload()
}

function isOneMoreTry(): boolean {
  const tries = Number(sessionStorage.getItem(KEY)) + 1
  sessionStorage.setItem(KEY, String(tries))
  return tries <= MOST
}

// Everything is here or is lost; the letters of the page are waited for a little longer.
addEventListener('load', () => setTimeout(again, AGAIN_MS))
setTimeout(again, HANGS_MS)

/** Until the style is here nothing is drawn and no script begun, unless a script has asked for it. */
function waitForStyleNoMore() {
  const style = document.querySelector<HTMLLinkElement>('link[rel=stylesheet]')
  if (!style || document.styleSheets.length > 0) return
  const anew = style.cloneNode() as HTMLLinkElement
  // Under its own address it would be joined to the request that hangs, which may only be slow.
  anew.href += '?anew'
  style.replaceWith(style.cloneNode(), anew)
}
setTimeout(waitForStyleNoMore, STYLE_MS)
