/** A query that cannot be understood: where (first character is column 1), and what to write instead. */
export type QueryError = { message: string; column: number; hint: string }

export function describeQueryError({ message, column, hint }: QueryError): string {
  return `${message} at column ${column}; ${hint}`
}
