const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Signs that turn the text around them: as everywhere they are seen, lest a file pass for another. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g

/** For text and for attributes in HTML and SVG: reports quote what attackers wrote. */
export const escapeMarkup = (text: string) =>
  text
    .replace(TURNING, (sign) => `[U+${sign.charCodeAt(0).toString(16).toUpperCase()}]`)
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)

export const oneLine = (text: string) => text.replace(/\s*[\r\n]+\s*/g, ' ')

/** One line of Markdown that shows the text as it is. */
export const escapeMarkdown = (text: string) =>
  escapeMarkup(oneLine(text))
    .replace(/[\\`*_{}[\]()#+!|~]/g, '\\$&')
    // A line may begin with any text: neither a rule, a list nor a number of one.
    .replace(/^(\s*)(\d*)([-=.])/, '$1$2\\$3')
