/** Bytes that are not what they should be; the message says what is wrong with them. */
export class MalformedEvidence extends Error {
  override name = 'MalformedEvidence'
}
