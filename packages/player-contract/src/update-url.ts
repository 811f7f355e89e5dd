const UPDATE_URL_MAX = 2048

/**
 * Why this text cannot be the address of an update, or undefined when it can. Says nothing about
 * where the name leads: that is checked on the address really connected to.
 */
export function updateUrlProblem(text: string): string | undefined {
  if (text.length > UPDATE_URL_MAX) return `must not be longer than ${UPDATE_URL_MAX} characters`
  // The URL parser would drop tabs and line breaks, and read a backslash as a slash.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing control characters is the point
  if (/[\u0000-\u0020\u007f-\u009f\\]/.test(text)) {
    return 'must not contain spaces, backslashes or control characters'
  }
  const url = URL.parse(text)
  if (!url) return 'must be a complete address, such as https://updates.example/player.img'
  if (url.protocol !== 'https:') return 'must be https'
  if (url.username !== '' || url.password !== '') return 'must not carry a user name or password'
  if (url.port === '0') return 'must not use port 0'
  return undefined
}
