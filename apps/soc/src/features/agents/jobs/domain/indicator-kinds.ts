const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/
const PRIVATE =
  /^(?:10\.|127\.|0\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|22[4-9]\.|2[3-5]\d\.|::1?$|f[cd][0-9a-f]{2}:|fe80:)/i

export const isAddress = (value: string) =>
  IPV4.test(value) || /^[0-9a-f:.]*:[0-9a-f:.]+$/i.test(value)
export const isHash = (value: string) => /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/i.test(value)
export const isDomain = (value: string) =>
  !isAddress(value) && /^(?:[a-z0-9_-]{1,63}\.)+[a-z][a-z0-9-]{1,62}$/i.test(value)

/** One that means something elsewhere too: addresses of our own networks do not. */
export const isOutside = (value: string) =>
  isHash(value) || isDomain(value) || (isAddress(value) && !PRIVATE.test(value))

export const isPublicAddress = (value: string) => isAddress(value) && !PRIVATE.test(value)

/** Machines and services are nobody. */
export const isPerson = (user: string | null): user is string =>
  user !== null &&
  user !== '' &&
  user !== '-' &&
  !user.endsWith('$') &&
  !/^(?:.*\\)?(?:system|local service|network service|anonymous logon|dwm-\d+|umfd-\d+|nobody)$/i.test(
    user,
  )
