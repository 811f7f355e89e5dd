import type { LogFormat } from '../log-format.ts'
import { crowdstrike } from './crowdstrike.ts'
import { defenderHunting } from './defender-hunting.ts'
import { elasticDefend } from './elastic-defend.ts'
import { sentinelone } from './sentinelone.ts'

export const ENDPOINTS: LogFormat[] = [crowdstrike, sentinelone, defenderHunting, elasticDefend]
