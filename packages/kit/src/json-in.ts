/** What a text says as JSON; undefined where it is none. */
export function jsonIn(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}
