import { AppError, invalid } from '@manara/kit/errors'
import type { Card } from '../../ports/card.ts'

const BEGINNING = 4_096

/** Whether a sound can be read: of a card that has died, the names may still be in memory. */
export async function readSound({ openFile }: Pick<Card, 'openFile'>, file: string): Promise<void> {
  try {
    const opened = await openFile(file)
    await opened.read(0, BEGINNING).finally(opened.close)
  } catch (error) {
    if (error instanceof AppError) throw error
    throw invalid('path', `cannot be read: ${(error as Error).message}`)
  }
}
