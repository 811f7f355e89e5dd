/** What can be chosen, smallest first; what is set now is always among it. */
export const withValue = (offered: readonly number[], now: number) =>
  [...new Set([...offered, now])].sort((a, b) => a - b)
