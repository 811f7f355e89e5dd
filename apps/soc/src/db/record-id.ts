const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** As PostgreSQL matches it, in small letters and in capitals (`~*`). */
export const RECORD_ID = UUID.source

/** Anything else cannot be the id of a record: it is unknown rather than wrong. */
export const isRecordId = (id: string) => UUID.test(id)
