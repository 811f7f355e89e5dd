import type { Anchor } from '../../ports/anchor.ts'

const PATIENCE_MS = 10_000

/** Posts each head as JSON to an address that the owner chose; anything but 2xx is tried again. */
export function createWebhookAnchor(url: string): Anchor {
  return {
    name: 'webhook',
    async publish(head) {
      const reply = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(head),
        redirect: 'error',
        signal: AbortSignal.timeout(PATIENCE_MS),
      })
      await reply.body?.cancel()
      if (!reply.ok) throw new Error(`the webhook answered ${reply.status}`)
      return undefined
    },
  }
}
