const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** For text and for attributes in HTML and SVG: reports quote what attackers wrote. */
export const escapeMarkup = (text: string) =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)

export const oneLine = (text: string) => text.replace(/\s*[\r\n]+\s*/g, ' ')

/** One line of Markdown that shows the text as it is. */
export const escapeMarkdown = (text: string) =>
  escapeMarkup(oneLine(text))
    .replace(/[\\`*_{}[\]()#+!|~]/g, '\\$&')
    // A line may begin with any text: neither a rule, a list nor a number of one.
    .replace(/^(\s*)(\d*)([-=.])/, '$1$2\\$3')
