import type { LogFormat } from '../log-format.ts'
import { mongodb, mongodbLines } from './mongodb.ts'
import { mssql } from './mssql.ts'
import { mysql } from './mysql.ts'
import { postgresql, postgresqlJson } from './postgresql.ts'

export const DATABASES: readonly LogFormat[] = [
  postgresql,
  postgresqlJson,
  mysql,
  mssql,
  mongodb,
  mongodbLines,
]
