import { Icon } from '@manara/ui/parts/icon'
import { Sheet } from '@manara/ui/parts/sheet'
import { box, say } from '../../here.ts'
import { words } from './words.ts'

export function AboutSheet({ onClose }: { onClose(): void }) {
  const { t, number, count, percent } = say.value
  const w = words()
  const system = box.system.value
  const library = box.library.value
  const battery = box.battery.value
  const settings = box.settings.value
  if (!system || !settings) return null
  const facts: [name: string, value: string][] = [
    [w.about.version, system.version],
    [w.about.uptime, count(w.about.hours, Math.floor(system.uptime / 3600))],
    [w.about.address, settings.ip],
    [w.about.engine, `${system.audio.engine}, ${system.audio.sink}`],
    [
      w.about.card,
      library?.card_present ? count(w.about.files, library.file_count) : t.library.noCard,
    ],
    [
      w.about.reader,
      system.reader.present ? system.reader.name || system.reader.adapter : w.about.none,
    ],
    [w.about.screen, system.screen || w.about.none],
    [w.about.memory, `${number(Math.round(system.free_heap / 2 ** 20))} MB`],
    [w.about.board, system.board],
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
    <Sheet title={w.settings.about} closeLabel={t.close} onClose={onClose}>
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
        {w.about.api}
      </a>
      <a class="button" data-look="plain" href="/licences.txt" target="_blank" rel="noreferrer">
        {w.about.licences}
      </a>
    </Sheet>
  )
}
