import { render } from 'preact'
import { App } from './app.tsx'
import { start } from './here.ts'
import './style.css'

start()
const root = document.getElementById('app')
if (root) render(<App />, root)
registerWorker()

/** Only where the browser trusts the certificate; everything works without it. */
function registerWorker() {
  if (!('serviceWorker' in navigator) || location.protocol !== 'https:') return
  const address = '/sw.js'
  const { trustedTypes } = globalThis as unknown as { trustedTypes?: TrustedTypes }
  const policy = trustedTypes?.createPolicy('manara', { createScriptURL: (url) => url })
  const script = (policy?.createScriptURL(address) ?? address) as string
  navigator.serviceWorker.register(script, { type: 'module' }).catch(() => {
    // The box's own certificate: the page is whole without being kept.
  })
}

type TrustedTypes = {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): unknown }
}
