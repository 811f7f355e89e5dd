import type { DuckDBValue } from '@duckdb/node-api'

/** Of answers that nobody may need any more, so much is let go of at once. */
const MUCH = 32 * 2 ** 20
/** And so much after a while. */
const SOME = 4 * 2 ** 20
const LATER_MS = 5_000
/** A value in a column of DuckDB, with the text that does not fit into it beside. */
const VALUE_BYTES = 16

/**
 * What DuckDB answers lies outside of V8's heap and is freed with the small object that stands for
 * it. V8 does not know how large it is: a thread that only reads kept hundreds of megabytes, because
 * its own heap never grew. So it is counted here, and garbage is collected when it is much.
 */
export function createAnswerMemory({
  collect,
  later = (work) => void setTimeout(work, LATER_MS).unref(),
}: {
  collect(): void
  later?(work: () => void): void
}) {
  let bytes = 0
  let isWaiting = false

  function collectBeyond(bound: number): void {
    if (bytes < bound) return
    bytes = 0
    collect()
  }

  return {
    /** An answer that has been read. */
    note(rows: DuckDBValue[][]): void {
      for (const row of rows) bytes += bytesOf(row)
      collectBeyond(MUCH)
      if (isWaiting || bytes === 0) return
      isWaiting = true
      later(() => {
        isWaiting = false
        collectBeyond(SOME)
      })
    },
  }
}

function bytesOf(row: DuckDBValue[]): number {
  let bytes = row.length * VALUE_BYTES
  for (const value of row) if (typeof value === 'string') bytes += value.length
  return bytes
}
