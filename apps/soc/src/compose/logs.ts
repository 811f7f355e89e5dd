import path from 'node:path'
import type { Logger } from '@manara/kit/logging'
import { openClickhouseLogs } from '../adapters/clickhouse-logs/open.ts'
import { openDuckdbLogs } from '../adapters/duckdb-logs.ts'
import type { Config } from '../config.ts'
import type { LogStore } from '../ports/log-store.ts'

/** Where the settings say that logs are kept. */
export const openLogs = ({ clickhouse, dataDir }: Config, log: Logger): LogStore =>
  clickhouse.urls.length > 0
    ? openClickhouseLogs({ ...clickhouse, log })
    : openDuckdbLogs({ directory: path.join(dataDir, 'logs'), log })
