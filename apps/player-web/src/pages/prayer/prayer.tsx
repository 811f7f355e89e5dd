import { Empty } from '@manara/ui/parts/empty'
import { Icon } from '@manara/ui/parts/icon'
import { useSignal } from '@preact/signals'
import { box, route, say } from '../../here.ts'
import { ClockNote } from '../../parts/clock-note.tsx'
import { PageGhost } from '../../parts/page-ghost.tsx'
import { missingFor } from '../../stores/prayer-day.ts'
import { AdhanSheet } from './adhan-sheet.tsx'
import { MethodSheet } from './method-sheet.tsx'
import { Month } from './month.tsx'
import { PlaceSheet } from './place-sheet.tsx'
import { Qibla } from './qibla.tsx'
import { settings } from './settings.ts'
import { Times } from './times.tsx'
import { WhySheet } from './why-sheet.tsx'
import { words } from './words.ts'

type Open = 'place' | 'method' | 'adhan' | 'why' | null

/** `/prayer`, and `/prayer/month`. */
export function Page() {
  return route.path.value.split('/')[2] === 'month' ? <Month /> : <PrayerToday />
}

function PrayerToday() {
  const { t } = say.value
  const w = words()
  const open = useSignal<Open>(null)
  const prayer = box.prayer.value
  if (!prayer) return <PageGhost />
  const show = (sheet: Open) => () => {
    open.value = sheet
  }
  const row = (
    sheet: Open,
    icon: 'pin' | 'sliders' | 'bell' | 'help',
    title: string,
    hint: string,
  ) => (
    <li>
      <button type="button" class="row" onClick={show(sheet)}>
        <Icon name={icon} />
        <span class="row-text">
          <b>{title}</b>
          <small>{hint}</small>
        </span>
        <span class="row-end turns">
          <Icon name="chevron" />
        </span>
      </button>
    </li>
  )
  const config = settings.config.value ?? prayer.config
  return (
    <div class="page">
      <h1>{w.prayer.title}</h1>
      <ClockNote />
      {prayer.valid ? (
        <>
          <Times prayer={prayer} />
          <Qibla degrees={prayer.qibla} />
        </>
      ) : (
        missingFor(prayer) === 'place' && (
          <Empty icon="pin" title={w.prayer.noPlace} text={w.prayer.noPlaceWhy}>
            <button type="button" class="button" data-look="main" onClick={show('place')}>
              {w.prayer.choosePlace}
            </button>
          </Empty>
        )
      )}
      <ul class="rows">
        {row(
          'place',
          'pin',
          w.prayer.place,
          config.lat === null ? w.prayer.notSet : placeText(config),
        )}
        {row('method', 'sliders', w.prayer.method, methodName(config))}
        {row('adhan', 'bell', w.prayer.adhan, config.adhan.enabled ? w.prayer.adhanOn : t.off)}
        {prayer.valid && (
          <>
            {row('why', 'help', w.prayer.why, w.prayer.whyHint)}
            <li>
              <a class="row" href="/prayer/month">
                <Icon name="calendar" />
                <span class="row-text">
                  <b>{w.prayer.month}</b>
                  <small>{w.prayer.monthHint}</small>
                </span>
                <span class="row-end turns">
                  <Icon name="chevron" />
                </span>
              </a>
            </li>
          </>
        )}
      </ul>
      {open.value === 'place' && <PlaceSheet onClose={show(null)} />}
      {open.value === 'method' && <MethodSheet config={config} onClose={show(null)} />}
      {open.value === 'adhan' && <AdhanSheet config={config} onClose={show(null)} />}
      {open.value === 'why' && <WhySheet onClose={show(null)} />}
    </div>
  )
}

type Config = NonNullable<typeof box.prayer.value>['config']

function placeText({ lat, lng }: Config): string {
  const { exact } = say.value
  return `${exact(lat ?? 0)}°, ${exact(lng ?? 0)}°`
}

function methodName({ method, convention }: Config): string {
  const { methods } = words()
  return convention ? methods[convention] : methods[method]
}
