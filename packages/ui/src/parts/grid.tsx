import type { HTMLAttributes } from 'preact'

type Row = HTMLAttributes<HTMLDivElement>
type Cell = HTMLAttributes<HTMLSpanElement>

/** A row of a grid whose focus is told by the grid: see `LongList`. */
export const GridRow = ({ role = 'row', ...rest }: Row) => <div role={role} {...rest} />

export const GridCell = ({ role = 'gridcell', ...rest }: Cell) => <span role={role} {...rest} />

export const GridHead = ({ role = 'columnheader', ...rest }: Cell) => <span role={role} {...rest} />
