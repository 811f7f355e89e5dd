import type { Http } from '@manara/kit/http'
import type { PrevalenceQuery } from '@manara/soc-contract/iocs'
import { blockIndicators, unblockIndicators } from '../features/iocs/block-indicators.ts'
import { findIndicator } from '../features/iocs/find-indicator.ts'
import { followIndicators } from '../features/iocs/follow-indicators.ts'
import { iocRoutes } from '../features/iocs/iocs.routes.ts'
import { prevalenceOf } from '../features/iocs/prevalence.ts'
import type { SightingDeps } from '../features/iocs/record-sightings.ts'
import type { LogStore } from '../ports/log-store.ts'
import type { Platform } from './area.ts'
import { streamName } from './stream-name.ts'

type IocNeeds = { logs: LogStore } & Pick<SightingDeps, 'raiseAlert'>

/** Indicators, and their sightings in events that arrive and in those that are stored. */
export function composeIocs(platform: Platform, { logs, raiseAlert }: IocNeeds) {
  const { db, config, operatorChange, readThrough, filesInTurn } = platform
  const now = Date.now
  const following = followIndicators({
    ...platform,
    ...{ logs, now, raiseAlert, settings: config.iocs },
    stream: streamName(config),
  })
  const { onStored, unseenSince, indicatorsChanged, start, stop } = following

  const prevalence = (of: PrevalenceQuery) =>
    prevalenceOf({ logs, days: config.iocs.lookbackDays, now }, of)

  return {
    prevalenceOf: (value: string) => prevalence({ value }),
    ...{ onStored, unseenSince, start, stop, blockIndicators, unblockIndicators },
    findIndicator: (value: string) => findIndicator(db, value),
    routes: (api: Http) =>
      iocRoutes(api, {
        prevalenceOf: prevalence,
        db,
        now,
        indicatorsChanged,
        filesInTurn,
        readThrough,
        operatorChange,
      }),
  }
}
