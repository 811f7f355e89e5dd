/** One call: the body of the answer, or an error with the status and what the service says. */
export async function api(method, path, body) {
  const reply = await fetch(`/api/v1${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  }).catch(() => {
    throw new Error('the service does not answer: look whether it runs, and load this page anew')
  })
  const isJson = reply.headers.get('content-type')?.startsWith('application/json')
  const answer = isJson ? await reply.json() : {}
  if (reply.ok) return answer
  throw Object.assign(new Error(answer.detail ?? `the service answered ${reply.status}`), {
    status: reply.status,
  })
}

export const byId = (id) => document.getElementById(id)

/** The sections of the page that are to be seen; the others are not. */
export function showOnly(...ids) {
  for (const section of document.querySelectorAll('main > section')) {
    section.hidden = !ids.includes(section.id)
  }
}

export function tell(problem) {
  byId('problem').textContent = problem
}

/**
 * Runs what a button does; what goes wrong is told, and the button waits meanwhile. There is none
 * where a password manager sends the form.
 */
export async function attempt(button, work, say = tell) {
  const hold = (isHeld) => {
    if (button) button.disabled = isHeld
  }
  say('')
  hold(true)
  try {
    return await work()
  } catch (error) {
    say(inWords(error))
    return undefined
  } finally {
    hold(false)
  }
}

export function inWords(error) {
  // Browsers say this when somebody closes the prompt, or has no passkey for this page.
  if (error.name === 'NotAllowedError')
    return 'No passkey was used. Try again, or sign in another way.'
  if (error.name === 'InvalidStateError') return 'This passkey is added already.'
  // The service begins with the field's name, which is for programs.
  const said = error.message.replace(/^(otp|code|password|passkey|credential): /, 'the $1 ')
  return said.charAt(0).toUpperCase() + said.slice(1)
}
