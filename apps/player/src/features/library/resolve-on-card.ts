import { invalid } from '@manara/kit/errors'
import type { Card } from '../../ports/card.ts'
import { checkCardPath } from './domain/card-path.ts'

/** Turns a client's path into the absolute path of a playable file that really lies on the card. */
export async function resolveOnCard(
  card: Card,
  requested: string,
  playable: readonly string[],
): Promise<string> {
  checkCardPath(requested, playable)
  const file = await card.resolveFile(requested)
  // A link out of the card gets the same answer as nothing at all, so that it tells nothing.
  if (file === undefined) throw invalid('path', 'names no playable file on the card')
  // A link may lead to something that only its own name calls playable.
  checkCardPath(file.slice(file.lastIndexOf('/') + 1), playable)
  return file
}
