import { Choice } from '@manara/ui/parts/choice'
import { Sheet } from '@manara/ui/parts/sheet'
import type { Theme } from '@manara/ui/preferences'
import type { Digits, Language } from '@manara/ui/words'
import { access, notices, preferences, say } from '../../here.ts'
import { words } from './words.ts'

/** How this phone shows the box. */
export function PhoneSheet({ onClose }: { onClose(): void }) {
  const { t } = say.value
  const w = words()
  const { language, theme, digits } = preferences
  return (
    <Sheet title={w.settings.phone} closeLabel={t.close} onClose={onClose}>
      <Choice<Language>
        label={w.phone.language}
        value={language.value}
        options={[
          { value: 'ar', label: 'العربية' },
          { value: 'en', label: 'English' },
        ]}
        onChoose={(value) => {
          language.value = value
        }}
      />
      <Choice<Digits>
        label={w.phone.digits}
        value={digits.value}
        options={[
          { value: 'auto', label: w.phone.digitsAuto },
          { value: 'arab', label: '٠١٢٣' },
          { value: 'latn', label: '0123' },
        ]}
        onChoose={(value) => {
          digits.value = value
        }}
      />
      <Choice<Theme>
        label={w.phone.theme}
        value={theme.value}
        options={[
          { value: 'auto', label: w.phone.themes.auto },
          { value: 'light', label: w.phone.themes.light },
          { value: 'dark', label: w.phone.themes.dark },
        ]}
        onChoose={(value) => {
          theme.value = value
        }}
      />
      <div class="stack-close">
        <p class="small">{access.token.value ? w.phone.hasToken : w.phone.noToken}</p>
        {access.token.value ? (
          <button
            type="button"
            class="button"
            data-look="line"
            onClick={() => {
              access.forget()
              notices.done(w.phone.forgotten)
            }}
          >
            {w.phone.forget}
          </button>
        ) : (
          <button
            type="button"
            class="button"
            data-look="line"
            onClick={() => {
              onClose()
              void access.ask()
            }}
          >
            {w.phone.enter}
          </button>
        )}
      </div>
    </Sheet>
  )
}
