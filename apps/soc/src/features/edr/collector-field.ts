/** What came over a collector names it in this field. */
export const COLLECTOR_FIELD = 'collector'
