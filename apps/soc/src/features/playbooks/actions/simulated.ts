/** Stands where a rehearsal would have made a record: it is the id of none. */
export const SIMULATED_ID = '00000000-0000-0000-0000-000000000000'
