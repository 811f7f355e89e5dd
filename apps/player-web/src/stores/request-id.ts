/** Names one wish, so that the box can tell it from another when it comes twice. */
export const requestId = (): string =>
  // Not `randomUUID`, which pages of plain HTTP do not have.
  [...crypto.getRandomValues(new Uint8Array(12))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
