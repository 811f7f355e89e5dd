import { api, attempt, byId, inWords, showOnly, tell } from './api.js'
import { showFactors } from './second-factors.js'
import { problemInAddress, showSignIn } from './sign-in.js'

const LABELS = {
  mode: 'Mode',
  read_data_source: 'Reads come from',
  is_database_available: 'Database available',
  is_mutations_allowed: 'Changes allowed',
  is_internal_workflows_allowed: 'Pipelines may record',
  is_external_actions_allowed: 'Outside actions allowed',
}

const valueInWords = (value) => (value === true ? 'yes' : value === false ? 'no' : value)

let ways

async function show() {
  try {
    const truth = await api('GET', '/system/mode')
    await showInside(truth)
  } catch (error) {
    if (error.status === 401) showSignIn({ ways, onEnter: enter, returnTo: next() })
    else if (error.status === 403) await showEnrolment()
    else throw error
  }
}

/** Who must enrol first stays here until they have. */
async function enter({ must_enrol }) {
  if (must_enrol) await show()
  else location.replace(next())
}

/** Where somebody wanted to go: only ever a path of ours. */
function next() {
  const url = addressOf(new URLSearchParams(location.search).get('next') ?? '/')
  if (url?.origin !== location.origin) return '/'
  // Two slashes at the beginning are another host, which `/.//host` becomes on the way.
  return `/${url.pathname.replace(/^\/+/, '')}${url.search}`
}

/** `URL.parse` would do, which Safari 17 does not have. */
function addressOf(text) {
  try {
    return new URL(text, location.origin)
  } catch {
    return null
  }
}

async function showInside(truth) {
  byId('truth').replaceChildren(
    ...Object.entries(LABELS).flatMap(([field, label]) => [
      Object.assign(document.createElement('dt'), { textContent: label }),
      Object.assign(document.createElement('dd'), { textContent: valueInWords(truth[field]) }),
    ]),
  )
  const me = await api('GET', '/users/me')
  byId('who').textContent = me.username
  byId('role').textContent = me.role
  if (!truth.is_database_available) return showOnly('inside')
  await showFactors({ ways, isEnrolling: false, onChange: show })
  showOnly('inside', 'factors')
}

/** The session can do nothing else before. */
async function showEnrolment() {
  await showFactors({ ways, isEnrolling: true, onChange: () => location.replace(next()) })
  showOnly('must-enrol', 'factors')
}

byId('sign-out').addEventListener('click', (event) =>
  attempt(event.currentTarget, async () => {
    const { provider_sign_out_url } = await api('POST', '/auth/logout')
    if (provider_sign_out_url) location.assign(provider_sign_out_url)
    else await show()
  }),
)

for (const button of document.querySelectorAll('[data-close]')) {
  button.addEventListener('click', () => button.closest('dialog').close(button.dataset.close))
}

try {
  ways = await api('GET', '/auth/ways')
  await show()
} catch (error) {
  tell(inWords(error))
}
const problem = problemInAddress()
if (problem) tell(problem)
