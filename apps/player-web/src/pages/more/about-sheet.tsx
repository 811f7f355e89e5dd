import { Icon } from '@manara/ui/parts/icon'
import { Sheet } from '@manara/ui/parts/sheet'
import { box, say } from '../../here.ts'

export function AboutSheet({ onClose }: { onClose(): void }) {
  const { t, number, count, percent } = say.value
  const system = box.system.value
  const library = box.library.value
  const battery = box.battery.value
  const settings = box.settings.value
  if (!system || !settings) return null
  const facts: [name: string, value: string][] = [
    [t.about.version, system.version],
    [t.about.uptime, count(t.about.hours, Math.floor(system.uptime / 3600))],
    [t.about.address, settings.ip],
    [t.about.engine, `${system.audio.engine}, ${system.audio.sink}`],
    [
      t.about.card,
      library?.card_present ? count(t.about.files, library.file_count) : t.library.noCard,
    ],
    [
      t.about.reader,
      system.reader.present ? system.reader.name || system.reader.adapter : t.about.none,
    ],
    [t.about.screen, system.screen || t.about.none],
    [t.about.memory, `${number(Math.round(system.free_heap / 2 ** 20))} MB`],
    [t.about.board, system.board],
    ...(battery?.present
      ? [
          [t.battery, `${percent(battery.percentage)}, ${number(battery.voltage)} V`] as [
            string,
            string,
          ],
        ]
      : []),
  ]
  return (
    <Sheet title={t.settings.about} closeLabel={t.close} onClose={onClose}>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      <a class="button" data-look="line" href="/api/docs" target="_blank" rel="noreferrer">
        <Icon name="info" />
        {t.about.api}
      </a>
      <a class="button" data-look="plain" href="/licences.txt" target="_blank" rel="noreferrer">
        {t.about.licences}
      </a>
    </Sheet>
  )
}
