import { say } from '../here.ts'

/**
 * The words of a page, which come with the page. Another language is another entry with the same
 * keys: what is missing or too much does not compile.
 */
export const catalogue =
  <Words>(words: { en: Words }) =>
  () => ({ ...say.value, w: words.en })
