/** Why a rule is not taken as it stands: told to whoever imports it, beside the file's name. */
export class SigmaError extends Error {
  override name = 'SigmaError'
}
