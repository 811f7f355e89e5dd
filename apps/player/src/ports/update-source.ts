/** Where images are pulled from. */
export type UpdateSource = {
  /**
   * Resolves when the server has begun to answer with the image, after every redirect has been
   * checked. Rejects with words that may be told to whoever asked.
   */
  open(url: string): Promise<AsyncIterable<Uint8Array>>
}
