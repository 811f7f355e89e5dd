import { render } from 'preact'
import { App } from './app.tsx'
import { api, box, isStale, keepAsking, start } from './here.ts'
import { today } from './parts/box-clock.ts'
import { followDay } from './stores/follow-day.ts'
import './style.css'

/** A network that takes longer gets letters of another font first. */
const LETTERS_MS = 2_000
const STYLE_MS = 1_000

start()
followDay({ box, api, keepAsking, today, isStale })
keepStyle()
await lettersAreHere()
const root = document.getElementById('app')
root?.replaceChildren()
if (root) render(<App />, root)
registerWorker()

/** A style that was lost on the way is asked for until it is there. */
function keepStyle() {
  const lost = document.querySelector<HTMLLinkElement>('link[rel=stylesheet]')
  const isHere = getComputedStyle(document.documentElement).getPropertyValue('--ground') !== ''
  if (!lost || isHere) return
  const again = lost.cloneNode() as HTMLLinkElement
  again.onerror = () => setTimeout(keepStyle, STYLE_MS)
  lost.replaceWith(again)
}

/** Drawn before, everything would move when they come; they are asked for with the page itself. */
async function lettersAreHere() {
  const arabic = ['1em "Manara Arabic"', '600 1em "Manara Arabic"']
  const fonts = ['1em "Manara Sans"', '700 1em "Manara Names"', ...arabic]
  const loading = fonts.map((font) => document.fonts.load(font, 'aا'))
  const patience = new Promise((resolve) => setTimeout(resolve, LETTERS_MS))
  await Promise.race([Promise.allSettled(loading), patience])
  const isHere = arabic.every((font) => document.fonts.check(font, 'ا'))
  if (isHere) document.documentElement.dataset.arabic = 'here'
}

/** Only where the browser trusts the certificate; everything works without it. */
function registerWorker() {
  if (!('serviceWorker' in navigator) || location.protocol !== 'https:') return
  const address = '/sw.js'
  const { trustedTypes } = globalThis as unknown as { trustedTypes?: TrustedTypes }
  const policy = trustedTypes?.createPolicy('manara', { createScriptURL: (url) => url })
  const script = (policy?.createScriptURL(address) ?? address) as string
  navigator.serviceWorker.register(script).catch(() => {
    // The box's own certificate: the page is whole without being kept.
  })
}

type TrustedTypes = {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): unknown }
}
