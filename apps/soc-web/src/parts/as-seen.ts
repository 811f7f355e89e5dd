/** Signs that turn the text around them and are not seen: `gpj.exe` is shown as `exe.jpg` behind one. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g

/** No longer than this, which is seen. */
export const cutAt = (most: number, text: string): string =>
  text.length > most ? `${text.slice(0, most)}…` : text

/** The host of a link as it is really named, where letters of other scripts may look like it. */
export function realHost(link: string): string | undefined {
  const host = URL.parse?.(link)?.host
  return host?.includes('xn--') && !link.toLowerCase().includes(host) ? host : undefined
}

/** With those signs in sight, so that nobody takes a text for another one. */
export const asSeen = (text: string): string =>
  text.replace(TURNING, (sign) => `[U+${sign.charCodeAt(0).toString(16).toUpperCase()}]`)
