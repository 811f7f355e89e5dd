import { hostname } from 'node:os'
import type { Config } from '../config.ts'

/** This process among those on one database, the same after a restart. */
export const streamName = ({ dataDir }: Pick<Config, 'dataDir'>) => `${hostname()}:${dataDir}`
