/** Bytes left on the disk of the data; `isFull` when so few that nothing more is taken. */
export type DiskRoom = () => { free: number; isFull: boolean } | undefined
