import { parentPort, workerData } from 'node:worker_threads'
import { AppError } from '@manara/kit/errors'
import { type DraftReply, draft } from './draft-files.ts'

function reply(): DraftReply {
  try {
    return { ok: true, ...draft(workerData) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ok: false, status: error.status, message: error.message }
  }
}

parentPort?.postMessage(reply())
