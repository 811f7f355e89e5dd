const LONGEST = 300

/**
 * Text of somebody's making, to be shown: control and invisible characters as codes, so that it can
 * neither hide nor pretend to be lines of ours, and no longer than a line.
 */
export function plainText(text: string, longest = LONGEST): string {
  const cut = text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text
  return cut
    .toWellFormed()
    .replace(/\s+/g, ' ')
    .replace(
      /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu,
      (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
    )
    .trim()
}
