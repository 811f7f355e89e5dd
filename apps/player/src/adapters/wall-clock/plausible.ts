// Clock chips that lost power wake in 1970, 2000 or 2016; none of them in a year this was made in.
const EARLIEST_MS = Date.parse('2025-01-01T00:00:00Z')
const LATEST_MS = Date.parse('2100-01-01T00:00:00Z')

export const isPlausible = (ms: number) => ms >= EARLIEST_MS && ms < LATEST_MS
