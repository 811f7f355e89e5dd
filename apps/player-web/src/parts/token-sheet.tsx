import { Field } from '@manara/ui/parts/field'
import { Sheet } from '@manara/ui/parts/sheet'
import { useSignal } from '@preact/signals'
import { access, say } from '../here.ts'
import { cleanToken, isToken } from '../stores/access.ts'

/** Asks for the device token, once, when the first change wants it. */
export function TokenSheet() {
  const { t } = say.value
  const asking = access.asking.value
  if (!asking) return null
  return (
    <Sheet title={t.token.title} closeLabel={t.close} onClose={access.refuse}>
      <TokenForm isWrong={asking.isWrong} />
    </Sheet>
  )
}

function TokenForm({ isWrong }: { isWrong: boolean }) {
  const { t } = say.value
  const typed = useSignal('')
  const problem = useSignal(isWrong ? t.token.wrong : undefined)
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (isToken(cleanToken(typed.value))) access.give(typed.value)
        else problem.value = t.token.malformed
      }}
    >
      <p>{t.token.why}</p>
      <p class="small">{t.token.where}</p>
      <Field
        label={t.token.label}
        value={typed.value}
        problem={problem.value}
        onType={(text) => {
          typed.value = text
          problem.value = undefined
        }}
        input={{
          dir: 'ltr',
          type: 'password',
          autocomplete: 'current-password',
          autocapitalize: 'off',
          spellcheck: false,
          name: 'token',
          required: true,
        }}
      />
      <button type="submit" class="button" data-look="main">
        {t.token.give}
      </button>
    </form>
  )
}
