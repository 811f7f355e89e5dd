/** Longest address that is kept; real stations stay far below. */
export const STREAM_URL_MAX = 2048

// The URL parser has already turned 0xa9fea9fe and its like into dotted numbers; a name such as
// 240.radio.example is no address. ::ffff: is IPv4 in the dress of IPv6.
const NOWHERE =
  /^(0|169\.254|22[4-9]|2[345]\d)\.[\d.]+$|^\[(::\]|fe[89ab]|ff|::ffff:([0-9a-f]{1,2}|a9fe|[ef][0-9a-f]{3}):)/

const INCOMPLETE = 'must be a complete address, such as http://radio.example/live'

/**
 * Why this text cannot be the address of a stream, or undefined when it can. Says nothing about
 * where the name leads: that is checked on the address really connected to.
 */
export function streamUrlProblem(text: string): string | undefined {
  if (text.length > STREAM_URL_MAX) return `must not be longer than ${STREAM_URL_MAX} characters`
  // The URL parser would drop tabs and line breaks without a word.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing control characters is the point
  if (/[\u0000-\u001f\u007f-\u009f]/.test(text)) return 'must not contain control characters'
  const url = parsed(text)
  if (!url) return INCOMPLETE
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'must be http or https'
  // The URL parser takes the first part of the path for the host that is missing.
  if (!/^\s*https?:\/\/[^/\\]/i.test(text)) return INCOMPLETE
  if (url.username !== '' || url.password !== '') return 'must not carry a user name or password'
  if (NOWHERE.test(url.hostname)) return 'must not be a link-local, multicast or unusable address'
  if (url.port === '0') return 'must not use port 0'
  return undefined
}

/** Without `URL.parse`: it is asked on phones too, and those before 2024 do not have it. */
function parsed(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
