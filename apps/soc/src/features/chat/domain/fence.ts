const MOST_SHOWN = 2_000
// Control characters, invisible ones, and those that turn the direction of text or spell in tags.
const HIDDEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Variation_Selector}]/gu

/** What cannot be seen is shown as its code, so that a reader sees what a model would read. */
export const visible = (text: string) =>
  text.replace(HIDDEN, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`)

/** Text from outside between marks with a random word, which the text itself cannot contain. */
export function fence(value: unknown, mark: string): string {
  const shown = JSON.stringify(value, (_key, part) =>
    typeof part === 'string' ? visible(part).slice(0, MOST_SHOWN) : part,
  )
  // Names of fields come from outside as well.
  return `<data ${mark}>\n${visible(shown).replaceAll(mark, '[removed]')}\n</data ${mark}>`
}
