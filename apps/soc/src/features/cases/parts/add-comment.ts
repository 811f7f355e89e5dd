import { randomUUIDv7 } from 'node:crypto'
import type { Comment, CommentCreate } from '@manara/soc-contract/cases'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { ownSpelling } from '../../../core/identity/is-named.ts'
import { toComment } from '../cases/case-record.ts'
import { lockCase } from '../cases/cases.store.ts'
import { commentAuthor } from '../domain/comment-author.ts'
import { recordPart } from './record-part.ts'

export async function addComment(
  change: ChangeContext,
  caseId: string,
  { body, author: named }: CommentCreate,
): Promise<Comment> {
  const author = commentAuthor(change.principal, named && (await ownSpelling(change.tx, named)))
  const { id: case_id } = await lockCase(change.tx, caseId)
  const row = await change.tx
    .insertInto('case_comments')
    .values({ id: randomUUIDv7(), case_id, author, body })
    .returningAll()
    .executeTakeFirstOrThrow()
  const comment = toComment(row)
  await recordPart(change, case_id, 'comment.add', {
    said: `comment added by ${author}`,
    after: comment,
  })
  return comment
}
