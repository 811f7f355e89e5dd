const LONGEST = 200

/**
 * Names come from folders and radio stations: without control characters, and without the invisible
 * ones that turn the order of what follows.
 */
export function plainText(text: string): string {
  return text
    .slice(0, LONGEST)
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()
}
