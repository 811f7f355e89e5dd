import type { Firmware, FirmwareListQuery } from '@manara/soc-contract/firmware'
import { hasAsked, isAsked, isWithin, mentions, showList } from '../../showcase/query.ts'

export const showFirmware = (firmware: Firmware[], query: FirmwareListQuery) =>
  showList(firmware, query, { where, sortBy: (one) => Date.parse(one[query.sort]) })

const where = (one: Firmware, query: FirmwareListQuery) =>
  hasAsked(one, query, ['vendor', 'product', 'version', 'sha256', 'status']) &&
  isAsked(query.outdated, one.is_outdated) &&
  query.component === undefined &&
  isWithin(query, one.created_at, one.updated_at) &&
  mentions(one, query.q)
