import { Icon } from '@manara/ui/parts/icon'
import { Sheet } from '@manara/ui/parts/sheet'
import { say } from '../../here.ts'
import { words } from './words.ts'

/** Three steps a phone, so that the browser stops warning and the page can be installed. */
export function CertificateSheet({ onClose }: { onClose(): void }) {
  const { t } = say.value
  const w = words()
  return (
    <Sheet title={w.settings.certificate} closeLabel={t.close} onClose={onClose}>
      <p>{w.certificate.why}</p>
      <a class="button" data-look="main" href="/ca.crt" download="manara.crt">
        <Icon name="download" />
        {w.certificate.download}
      </a>
      {(['android', 'ios'] as const).map((phone) => (
        <div key={phone} class="stack-close">
          <h3>{w.certificate[phone].title}</h3>
          <ol class="steps">
            {w.certificate[phone].steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </div>
      ))}
    </Sheet>
  )
}
