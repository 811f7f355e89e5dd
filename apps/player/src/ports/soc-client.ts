/** The platform over HTTPS. */
export type SocClient = {
  /**
   * Resolves with the status and the body of the reply, whatever it says; rejects when there is none.
   * `date` is what the other side's clock says, milliseconds since 1970.
   */
  post(
    url: URL,
    body: Buffer,
    options?: { headers?: Record<string, string>; ca?: string | undefined },
  ): Promise<{ status: number; body: unknown; date: number | undefined }>
}
