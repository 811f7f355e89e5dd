type Named = { name: string; value: string }

const SHORTEST_BEGINNING = 8
/** Only a long answer is cut off, and no shorter than this. */
const SHORTEST_CUT = 16_000

/**
 * Replaces secrets in whatever came back: the other side may repeat what it was sent, as it is or
 * as URLs, JSON and Base64 write it. An answer that was cut off may end within one.
 */
export function createRedaction(secrets: Named[]): <T>(value: T) => T {
  const forms = secrets
    .flatMap(({ name, value }) => [...formsOf(value)].map((form) => ({ name, form })))
    .sort((a, b) => b.form.length - a.form.length)

  function redactText(text: string): string {
    let redacted = text
    for (const { name, form } of forms) {
      redacted = withoutEnd(redacted.replaceAll(form, mark(name)), form, mark(name))
    }
    return redacted
  }

  function redact(value: unknown): unknown {
    if (typeof value === 'string') return redactText(value)
    if (Array.isArray(value)) return value.map(redact)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [redactText(name), redact(part)]),
    )
  }

  return forms.length === 0 ? (value) => value : (value) => redact(value) as typeof value
}

const mark = (name: string) => `[secret ${name}]`

function* formsOf(value: string): Iterable<string> {
  const inJson = JSON.stringify(value).slice(1, -1)
  const inUrl = encodeURIComponent(value)
  const plain = [value, inJson, inUrl, inUrl.replaceAll('%20', '+'), ...inBase64(value)]
  yield* new Set([...plain, inUrl.replaceAll(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase())])
}

/** Inside other bytes it begins at any third: the letters that belong to it alone. */
function* inBase64(value: string): Iterable<string> {
  const bytes = Buffer.from(value)
  for (const before of [0, 1, 2]) {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    const letters = text.replaceAll('=', '')
    const isWhole = (before + bytes.length) % 3 === 0
    const core = letters.slice(before === 0 ? 0 : before + 1, isWhole ? undefined : -1)
    if (core.length < SHORTEST_BEGINNING) continue
    yield core
    yield core.replaceAll('+', '-').replaceAll('/', '_')
  }
}

function withoutEnd(text: string, form: string, instead: string): string {
  if (text.length < SHORTEST_CUT) return text
  for (
    let length = Math.min(form.length - 1, text.length);
    length >= SHORTEST_BEGINNING;
    length--
  ) {
    if (text.endsWith(form.slice(0, length))) return text.slice(0, -length) + instead
  }
  return text
}
