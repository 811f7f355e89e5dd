import { AppError } from '@manara/kit/errors'

const FULL = 'the disk is full: make room and try again'
const READ_ONLY = 'the disk takes no changes: mount it for writing and try again'
const FAILING = 'the disk cannot be read or written'

/** By the number of SQLite, and by the name of the system. */
const REASONS: Record<string, string> = {
  ...{ 8: READ_ONLY, 10: FAILING, 13: FULL },
  ...{ ENOSPC: FULL, EDQUOT: FULL, EROFS: READ_ONLY, EIO: FAILING },
}

/** In words that the owner can act on where the disk did not take a change; any other error as it is. */
export function withDiskReason(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof AppError) return error
  const { code = '', errcode } = error as NodeJS.ErrnoException & { errcode?: number }
  // Above the lowest byte SQLite tells details.
  const reason = REASONS[errcode === undefined ? code : errcode & 0xff]
  return reason ? new AppError(500, reason, { cause: error }) : error
}
