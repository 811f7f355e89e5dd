/** Bytes of a file; fewer than asked for only at its end. */
export type Read = (offset: number, length: number) => Promise<Buffer>
