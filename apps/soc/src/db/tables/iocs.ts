import type { IocType, Sighting, Tlp } from '@manara/soc-contract/iocs'
import type { ColumnType, Generated } from 'kysely'
import type { Timestamp } from './columns.ts'

type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>
type OptionalTime = ColumnType<Date | null, Date | null | undefined, Date | null>

export type IocTables = {
  iocs: {
    id: string
    type: IocType
    value: string
    score: number
    /** When the score was given: it decays from there. */
    scored_at: Timestamp
    tlp: Tlp
    valid_from: Timestamp
    valid_until: OptionalTime
    revoked: Generated<boolean>
    sources: string[]
    tags: string[]
    description: Optional<string>
    sightings: Generated<number>
    /** Matches beyond the cap, of which no sighting is kept. */
    unrecorded_sightings: Generated<string>
    first_sighted_at: OptionalTime
    last_sighted_at: OptionalTime
    /** The search of the stored logs for it ended at a limit. */
    lookback_partial: Generated<boolean>
    /** What a block has replaced, so that it can be taken back; null when there is none. */
    before_block: ColumnType<object | null, string | null | undefined, string | null>
    created_by: string
    created_at: Timestamp
    updated_at: Timestamp
    /** The transactions that added and last changed it. */
    created_xid: ColumnType<string, never, never>
    changed_xid: ColumnType<string, never, never>
  }
  ioc_lookback: { done_xid: string }
  ioc_sightings: {
    ioc_id: string
    log_id: string
    seen_at: Timestamp
    direction: Sighting['direction']
    host: Optional<string>
  }
}
