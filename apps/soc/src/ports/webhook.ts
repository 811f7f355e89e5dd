export type WebhookCall = {
  url: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers: Record<string, string>
  /** Sent as it is. */
  body: string | null
}

/**
 * Resolves with the answer, whatever its status. Rejects with an AppError when the address is not
 * allowed or could not be reached, that is when nothing was sent; with any other error when it is
 * not known whether the call arrived.
 */
export type CallWebhook = (
  call: WebhookCall,
  signal: AbortSignal,
) => Promise<{ status: number; body: string }>
