import { Empty } from '@manara/ui/parts/empty'
import { Icon } from '@manara/ui/parts/icon'
import { useSignal } from '@preact/signals'
import { box, route, say } from '../../here.ts'
import { AdhanSheet } from './adhan-sheet.tsx'
import { MethodSheet } from './method-sheet.tsx'
import { Month } from './month.tsx'
import { PlaceSheet } from './place-sheet.tsx'
import { Qibla } from './qibla.tsx'
import { Times } from './times.tsx'
import { WhySheet } from './why-sheet.tsx'

type Open = 'place' | 'method' | 'adhan' | 'why' | null

/** `/prayer`, and `/prayer/month`. */
export function Page() {
  return route.path.value.split('/')[2] === 'month' ? <Month /> : <PrayerToday />
}

function PrayerToday() {
  const { t } = say.value
  const open = useSignal<Open>(null)
  const prayer = box.prayer.value
  if (!prayer) return <div class="page ghost page-ghost" aria-busy="true" />
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
  const { config } = prayer
  return (
    <div class="page">
      <h1>{t.prayer.title}</h1>
      {prayer.valid ? (
        <>
          <Times prayer={prayer} />
          <Qibla degrees={prayer.qibla} />
        </>
      ) : config.lat === null ? (
        <Empty icon="pin" title={t.prayer.noPlace} text={t.prayer.noPlaceWhy}>
          <button type="button" class="button" data-look="main" onClick={show('place')}>
            {t.prayer.choosePlace}
          </button>
        </Empty>
      ) : (
        <Empty icon="clock" title={t.prayer.noTime} text={t.prayer.noTimeWhy}>
          <a class="button" data-look="main" href="/more">
            {t.tabs.more}
          </a>
        </Empty>
      )}
      <ul class="rows">
        {row(
          'place',
          'pin',
          t.prayer.place,
          config.lat === null ? t.prayer.notSet : placeText(config),
        )}
        {row('method', 'sliders', t.prayer.method, methodName(config))}
        {row('adhan', 'bell', t.prayer.adhan, config.adhan.enabled ? t.prayer.adhanOn : t.off)}
        {prayer.valid && (
          <>
            {row('why', 'help', t.prayer.why, t.prayer.whyHint)}
            <li>
              <a class="row" href="/prayer/month">
                <Icon name="calendar" />
                <span class="row-text">
                  <b>{t.prayer.month}</b>
                  <small>{t.prayer.monthHint}</small>
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
  const { number } = say.value
  const round = (value: number | null) => number(Math.round((value ?? 0) * 100) / 100)
  return `${round(lat)}°, ${round(lng)}°`
}

function methodName({ method, convention }: Config): string {
  const { methods } = say.value.t
  return convention ? methods[convention] : methods[method]
}
