/** PostgreSQL holds neither U+0000 nor half a surrogate pair, and a ledger could not prove them. */
export const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()

/** Of what comes from outside, which may contain either. */
export const storable = (text: string) => text.replaceAll('\0', '\ufffd').toWellFormed()
