import { AppError } from '@manara/kit/errors'
import { isConnectionFailure } from '../../db/connection-failure.ts'

/** The database is away, for the moment: what is stored says where to go on. */
export const isAway = (error: unknown) =>
  isConnectionFailure(error) || (error instanceof AppError && error.status === 503)
