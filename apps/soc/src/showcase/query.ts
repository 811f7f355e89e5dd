import { invalid, notFound } from '@manara/kit/errors'
import type { ListOf } from '@manara/soc-contract/lists'

type Page = { skip: number; limit: number; cursor?: string | undefined }
type Times = { from?: Date | undefined; to?: Date | undefined; updated_since?: Date | undefined }

/** A list as it would come from the database, over records of the story. */
export function showList<Item, Query extends Page & { order?: 'asc' | 'desc' | undefined }>(
  items: Item[],
  query: Query,
  { where, sortBy }: { where(item: Item, query: Query): boolean; sortBy?(item: Item): number },
): ListOf<Item> {
  const shown = items.filter((item) => where(item, query))
  const direction = query.order === 'asc' ? 1 : -1
  if (sortBy) shown.sort((a, b) => direction * (sortBy(a) - sortBy(b)))
  return pageOf(shown, query)
}

export function showOne<Item extends { id: string }>(
  what: string,
  items: Item[],
  id: string,
): Item {
  const item = items.find((one) => one.id === id)
  if (!item) throw notFound(what, id)
  return item
}

/** Whatever was asked for by one of these names, the record has; letter case does not matter. */
export const hasAsked = <Name extends string>(
  record: { [name in Name]?: unknown },
  query: { [name in Name]?: unknown },
  names: readonly Name[],
): boolean => names.every((name) => isAsked(query[name], record[name]))

export const isAsked = (asked: unknown, value: unknown): boolean =>
  asked === undefined ||
  [asked].flat().some((one) => String(one).toLowerCase() === String(value).toLowerCase())

export const includesAsked = <T>(asked: T | undefined, values: readonly T[]): boolean =>
  asked === undefined || values.includes(asked)

export const isWithin = (
  { from, to, updated_since }: Times,
  createdAt: string,
  updatedAt: string,
): boolean =>
  (!from || new Date(createdAt) >= from) &&
  (!to || new Date(createdAt) < to) &&
  (!updated_since || new Date(updatedAt) >= updated_since)

export const mentions = (text: string | object, q: string | undefined): boolean =>
  q === undefined ||
  (typeof text === 'string' ? text : JSON.stringify(text)).toLowerCase().includes(q.toLowerCase())

/** A page of records that never change, so that a cursor may be a plain position. */
export function pageOf<Item>(items: Item[], query: Page): ListOf<Item> {
  const { skip, limit, cursor } = query
  if (cursor !== undefined && !/^\d{1,9}$/.test(cursor)) {
    throw invalid('cursor', 'is not one that this list gave out')
  }
  const start = cursor === undefined ? skip : Number(cursor)
  const end = start + limit
  const hasMore = end < items.length
  return {
    items: items.slice(start, end),
    total: items.length,
    skip,
    limit,
    has_more: hasMore,
    next_cursor: hasMore ? String(end) : null,
  }
}
