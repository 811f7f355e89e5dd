import { api, attempt, byId } from './api.js'
import { hasPasskeys, makePasskey } from './passkeys.js'
import { withProof } from './proof.js'

const PATH = '/auth/second-factors'

/** Shows what there is and what can be added; `onChange` is called when that is something else. */
export async function showFactors({ ways, isEnrolling, onChange }) {
  const factors = await api('GET', PATH)
  const change = (work) => withProof(ways, work)
  const count = factors.passkeys.length + (factors.totp ? 1 : 0)
  byId('factors-title').hidden = isEnrolling
  byId('factors-none').hidden = count > 0 || isEnrolling
  byId('factor-list').replaceChildren(...rowsOf(factors, change, onChange))
  byId('add-app').hidden = factors.totp !== null
  byId('add-passkey').hidden = !(ways.passkey && hasPasskeys())
  byId('new-codes').hidden = count === 0
  byId('add-app').onclick = (event) =>
    attempt(event.currentTarget, async () => {
      const begun = await change(() => api('POST', `${PATH}/totp`))
      if (begun && (await scan(begun))) await onChange()
    })
  byId('add-passkey').onclick = (event) =>
    attempt(event.currentTarget, async () => {
      const begun = await change(() => api('POST', `${PATH}/passkeys/options`))
      if (!begun) return
      const name = nameOfThisDevice()
      const added = await api('POST', `${PATH}/passkeys`, { ...(await makePasskey(begun)), name })
      await showCodes(added.recovery_codes)
      await onChange()
    })
  byId('new-codes').onclick = (event) =>
    attempt(event.currentTarget, async () => {
      const renewed = await change(() => api('POST', `${PATH}/recovery-codes`))
      if (!renewed) return
      await showCodes(renewed.recovery_codes)
      await onChange()
    })
}

function rowsOf({ totp, passkeys, recovery_codes_left }, change, onChange) {
  const rows = passkeys.map(({ id, name, last_used_at }) =>
    row(`Passkey: ${name}`, last_used_at ? `last used ${dayOf(last_used_at)}` : 'not used yet', {
      remove: () => api('DELETE', `${PATH}/passkeys/${encodeURIComponent(id)}`),
    }),
  )
  if (totp) {
    const remove = () => api('DELETE', `${PATH}/totp`)
    rows.unshift(row('Authenticator app', `since ${dayOf(totp.created_at)}`, { remove }))
  }
  if (rows.length > 0) rows.push(row('Recovery codes', `${recovery_codes_left} left`))
  return rows

  function row(name, detail, { remove } = {}) {
    const item = document.createElement('li')
    const soft = Object.assign(document.createElement('span'), {
      className: 'soft',
      textContent: detail,
    })
    item.append(Object.assign(document.createElement('strong'), { textContent: name }), soft)
    if (!remove) return item
    const button = Object.assign(document.createElement('button'), {
      type: 'button',
      className: 'plain',
      textContent: 'Remove',
    })
    button.setAttribute('aria-label', `Remove ${name}`)
    button.onclick = () =>
      attempt(button, async () => {
        if (await change(remove)) await onChange()
      })
    item.append(button)
    return item
  }
}

/** Resolves to whether the app was added. */
function scan({ flow, secret, qr_svg }) {
  const dialog = byId('app-dialog')
  const form = byId('app-form')
  const say = (problem) => {
    form.querySelector('.problem').textContent = problem
  }
  form.reset()
  say('')
  byId('qr').src = `data:image/svg+xml,${encodeURIComponent(qr_svg)}`
  byId('seed').textContent = secret.replaceAll(/(.{4})(?=.)/g, '$1 ')
  return new Promise((resolve) => {
    form.onsubmit = (event) => {
      event.preventDefault()
      const { code } = Object.fromEntries(new FormData(form))
      void attempt(
        event.submitter,
        async () => {
          // Apps show it with a gap in the middle.
          const digits = code.replaceAll(/\s/g, '')
          const added = await api('POST', `${PATH}/totp/confirm`, { flow, code: digits })
          dialog.onclose = null
          dialog.close()
          await showCodes(added.recovery_codes)
          resolve(true)
        },
        say,
      )
    }
    dialog.onclose = () => resolve(false)
    dialog.showModal()
  })
}

/** Closed by its button alone: who closes it by accident would never see them again. */
function showCodes(codes) {
  if (!codes) return Promise.resolve()
  const dialog = byId('codes-dialog')
  byId('codes').replaceChildren(
    ...codes.map((code) => {
      const item = document.createElement('li')
      item.append(Object.assign(document.createElement('code'), { textContent: code }))
      return item
    }),
  )
  const copy = byId('copy-codes')
  // Browsers lend it only to pages from this machine or over TLS.
  copy.hidden = !navigator.clipboard
  copy.onclick = () =>
    navigator.clipboard.writeText(codes.join('\n')).then(
      () => {
        copy.textContent = 'Copied'
      },
      () => {
        copy.textContent = 'Not copied: mark them and copy them yourself'
      },
    )
  dialog.oncancel = (event) => event.preventDefault()
  dialog.returnValue = ''
  const ask = (event) => event.preventDefault()
  addEventListener('beforeunload', ask)
  return new Promise((resolve) => {
    dialog.onclose = () => {
      // A browser that was not touched in between closes it without asking.
      if (dialog.returnValue !== 'kept') return dialog.showModal()
      removeEventListener('beforeunload', ask)
      byId('codes').replaceChildren()
      copy.textContent = 'Copy'
      resolve()
    }
    dialog.showModal()
  })
}

const dayOf = (moment) => new Date(moment).toLocaleDateString()

function nameOfThisDevice() {
  const system = navigator.userAgentData?.platform ?? navigator.platform
  return `${system || 'Passkey'}, ${new Date().toLocaleDateString()}`
}
