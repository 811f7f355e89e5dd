import type { IconName } from '@manara/ui/icons'
import { Icon } from '@manara/ui/parts/icon'
import { useSignal } from '@preact/signals'
import { box, clock, reasons, say } from '../../here.ts'
import { boxClock } from '../../parts/box-clock.ts'
import { PageGhost } from '../../parts/page-ghost.tsx'
import { AboutSheet } from './about-sheet.tsx'
import { BackupSheet } from './backup-sheet.tsx'
import { CertificateSheet } from './certificate-sheet.tsx'
import { ClockSheet } from './clock-sheet.tsx'
import { DisplaySheet } from './display-sheet.tsx'
import { NameSheet } from './name-sheet.tsx'
import { PhoneSheet } from './phone-sheet.tsx'
import { PowerSheet } from './power-sheet.tsx'
import { ResetSheet } from './reset-sheet.tsx'
import { SoundSheet } from './sound-sheet.tsx'
import { UpdateSheet } from './update-sheet.tsx'
import { WifiSheet } from './wifi-sheet.tsx'
import { words } from './words.ts'

const SHEETS = {
  phone: PhoneSheet,
  wifi: WifiSheet,
  clock: ClockSheet,
  display: DisplaySheet,
  sound: SoundSheet,
  power: PowerSheet,
  name: NameSheet,
  update: UpdateSheet,
  backup: BackupSheet,
  certificate: CertificateSheet,
  about: AboutSheet,
  reset: ResetSheet,
}
type Name = keyof typeof SHEETS

export function Page() {
  const { t, timeOfDay, fill, percent } = say.value
  const w = words()
  const open = useSignal<Name | null>(null)
  const settings = box.settings.value
  const ota = box.ota.value
  const system = box.system.value
  if (!settings || !system) return <PageGhost />
  const Sheet = open.value && SHEETS[open.value]

  const row = (name: Name, icon: IconName, hint?: string) => (
    <li>
      <button
        type="button"
        class="row"
        onClick={() => {
          open.value = name
        }}
      >
        <RowContent icon={icon} title={w.settings[name]} hint={hint} />
      </button>
    </li>
  )
  const link = (path: string, icon: IconName, title: string, hint: string) => (
    <li>
      <a class="row" href={path}>
        <RowContent icon={icon} title={title} hint={hint} />
      </a>
    </li>
  )
  const local = boxClock(box.secondsNow(clock.value)).toISOString()
  // Without a place the zone of the box is not known here, and a wrong time is worse than none.
  const time = box.prayer.value?.valid
    ? timeOfDay(local.slice(11, 16), settings.time_format_24h)
    : ''
  return (
    <div class="page">
      <h1>{t.tabs.more}</h1>
      {system.boot_failures.length > 0 && (
        <section class="trouble" role="status">
          <b>
            <Icon name="alert" />
            {w.about.failures}
          </b>
          <ul>
            {system.boot_failures.map(({ component, error }) => (
              <li key={`${component} ${error}`} dir="auto">
                <b>{w.about.parts[component] ?? component}</b> {reasons.meaning(error)}
              </li>
            ))}
          </ul>
        </section>
      )}
      <ul class="rows">
        {link('/schedules', 'calendar', t.tabs.schedules, w.settings.schedulesHint)}
        {link('/cards', 'card', t.tabs.cards, w.settings.cardsHint)}
        {link('/learners', 'learners', t.tabs.learners, w.settings.learnersHint)}
      </ul>
      <section class="stack-close">
        <h2>{w.settings.thisPhone}</h2>
        <ul class="rows">
          {row('phone', 'smartphone', w.settings.phoneHint)}
          {location.protocol === 'https:' &&
            row('certificate', 'shield', w.settings.certificateHint)}
        </ul>
      </section>
      <section class="stack-close">
        <h2>{w.settings.theBox}</h2>
        <ul class="rows">
          {row('wifi', settings.wifi_connected ? 'wifi' : 'wifiOff', settings.ssid || w.wifi.none)}
          {row('clock', 'clock', settings.time_synced ? time : w.clock.notSet)}
          {row('sound', 'speaker', fill(w.sound.hint, { n: percent(settings.max_volume) }))}
          {row('display', 'sun', w.settings.displayHint)}
          {row('power', 'power', w.settings.powerHint)}
          {row('name', 'edit', `${settings.hostname}.local`)}
        </ul>
      </section>
      <section class="stack-close">
        <h2>{w.settings.care}</h2>
        <ul class="rows">
          {row(
            'update',
            'refresh',
            ota?.in_progress
              ? percent(ota.progress)
              : fill(w.update.version, { v: system.version }),
          )}
          {row('backup', 'download', w.settings.backupHint)}
          {row('about', 'info')}
          {row('reset', 'trash')}
        </ul>
      </section>
      {Sheet && (
        <Sheet
          onClose={() => {
            open.value = null
          }}
        />
      )}
    </div>
  )
}

type RowContentProps = { icon: IconName; title: string; hint: string | undefined }

const RowContent = ({ icon, title, hint }: RowContentProps) => (
  <>
    <Icon name={icon} />
    <span class="row-text">
      <b>{title}</b>
      {hint && (
        <small>
          <bdi>{hint}</bdi>
        </small>
      )}
    </span>
    <span class="row-end turns">
      <Icon name="chevron" />
    </span>
  </>
)
