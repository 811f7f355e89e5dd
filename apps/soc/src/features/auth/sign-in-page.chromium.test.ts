import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { freePort } from '@manara/kit/testing/free-port'
import { launchBrowser } from '@manara/ui/testing/launch-browser'
import type { Browser, Page } from 'playwright-core'
import { createAuthenticatorApp } from '../../testing/authenticator-app.ts'
import { CLIENT, startOidcServer } from '../../testing/oidc-server.ts'
import { ADMIN_PASSWORD, startTestSoc } from '../../testing/test-soc.ts'

const PATIENCE_MS = 180_000

let browser: Promise<Browser> | undefined
after(async () => (await browser)?.close())

async function start(t: TestContext) {
  // Known before anything listens: the provider must be told where browsers come back to.
  const port = await freePort()
  const address = `http://localhost:${port}`
  const provider = await startOidcServer(t, `${address}/api/v1/auth/oidc/callback`)
  const soc = await startTestSoc(t, {
    publicUrl: address,
    oidc: {
      provider: {
        ...{ issuer: provider.issuer, publicUrl: address, name: 'Example' },
        ...{ clientId: CLIENT.id, clientSecret: CLIENT.secret },
        ...{ scopes: 'openid profile email', groupsClaim: 'groups' },
      },
      mapping: { roles: [{ group: 'soc', role: 'viewer' }], defaultRole: undefined },
      isSecondFactorTrusted: false,
    },
  })
  await soc.http.listen({ host: '127.0.0.1', port })
  return { soc, provider, address }
}

/** A laptop with a fingerprint reader; nothing may go wrong in its page unseen. */
async function visit(t: TestContext, address: string) {
  browser ??= launchBrowser()
  const context = await (await browser).newContext({ viewport: { width: 900, height: 900 } })
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  const wrong: string[] = []
  page.on('pageerror', (error) => wrong.push(String(error)))
  page.on('console', (line) => {
    if (line.type() === 'error' && !/status of 4/.test(line.text())) wrong.push(line.text())
  })
  t.after(async () => {
    await context.close()
    assert.deepEqual(wrong, [])
  })
  const client = await context.newCDPSession(page)
  await client.send('WebAuthn.enable')
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.goto(`${address}/sign-in/`)
  return page
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function signIn(page: Page, name: string, given = `${name} password`) {
  await page.getByLabel('Username').fill(name)
  await page.getByLabel('Password').first().fill(given)
  await button(page, 'Sign in').click()
}

async function account(page: Page, address: string, name: string) {
  await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'))
  await page.goto(`${address}/sign-in/?account`)
  await page.getByText(`Signed in as ${name}`).waitFor()
}

/** The dialog that asks again who it is. */
async function prove(page: Page, name: string, otp?: string) {
  const dialog = page.getByRole('dialog', { name: 'Is it you?' })
  await dialog.getByLabel('Password').fill(`${name} password`)
  if (otp) await dialog.getByLabel('Code of your app').fill(otp)
  await dialog.getByRole('button', { name: 'Continue' }).click()
}

async function scan(page: Page) {
  const dialog = page.getByRole('dialog', { name: 'Add an authenticator app' })
  await dialog.getByText('No camera? Type this key').click()
  const seed = (await dialog.locator('#seed').textContent()) ?? ''
  const app = createAuthenticatorApp(seed.replaceAll(' ', ''))
  await dialog.getByLabel('Six digits').fill(await app.next())
  await dialog.getByRole('button', { name: 'Add the app' }).click()
  const codes = page.getByRole('dialog', { name: 'Your recovery codes' })
  await codes.getByRole('listitem').nth(9).waitFor()
  // The second Escape closes it in this browser, whatever the page says to the first.
  for (const _ of [1, 2]) await page.keyboard.press('Escape')
  const isAsked = await page.evaluate(
    "!dispatchEvent(new Event('beforeunload', { cancelable: true }))",
  )
  assert.equal(isAsked, true)
  await codes.getByRole('button', { name: 'I have kept them' }).click()
  return app
}

test('the page where one signs in', async (t) => {
  const { soc, provider, address } = await start(t)

  await t.test('an app and a passkey are added on the page, and sign in on it', async (t) => {
    await soc.signInAs('analyst', 'leila')
    const page = await visit(t, address)
    await signIn(page, 'leila', 'not the password')
    await page.getByText('wrong username or password').waitFor()
    await signIn(page, 'leila')
    await account(page, address, 'leila')

    await button(page, 'Add an authenticator app').click()
    await prove(page, 'leila')
    const app = await scan(page)
    await page.getByText('Authenticator app').first().waitFor()

    await button(page, 'Add a passkey').click()
    await prove(page, 'leila', await app.next())
    await page.getByText('Passkey: ').waitFor()

    await button(page, 'Sign out').click()
    await signIn(page, 'leila')
    await page
      .getByLabel('Code of your app')
      .first()
      .fill(await app.next())
    await button(page, 'Continue').first().click()
    await account(page, address, 'leila')

    await button(page, 'Sign out').click()
    await button(page, 'Use a passkey').first().click()
    await account(page, address, 'leila')

    await page.getByRole('button', { name: 'Remove Passkey' }).click()
    const dialog = page.getByRole('dialog', { name: 'Is it you?' })
    await dialog.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('Passkey: ').waitFor({ state: 'detached' })
  })

  await t.test(
    'signing in leads to no other host, however its name is hidden in the address',
    async (t) => {
      await soc.signInAs('analyst', 'nora')
      const page = await visit(t, address)
      for (const next of ['/.//evil.invalid/', '//evil.invalid/', `${address}//evil.invalid/`]) {
        await page.context().clearCookies()
        await page.goto(`${address}/sign-in/?next=${encodeURIComponent(next)}`)
        await signIn(page, 'nora')
        await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'))
        assert.equal(new URL(page.url()).origin, address, next)
        // The console listens: it is left before the service stops.
        await account(page, address, 'nora')
      }
    },
  )

  await t.test('who must enrol is led to it, and gets in by it', async (t) => {
    await soc.signInAs('responder', 'dina')
    const as = await soc.signIn()
    await soc.call('POST', '/auth/proof', { as, body: { password: ADMIN_PASSWORD } })
    const body = { second_factor_roles: ['responder'] }
    assert.equal((await soc.call('PUT', '/auth/policy', { as, body })).status, 200)
    const page = await visit(t, address)
    await signIn(page, 'dina')
    await page.getByRole('heading', { name: 'Your role needs a second factor' }).waitFor()
    await button(page, 'Add an authenticator app').click()
    await scan(page)
    await account(page, address, 'dina')
  })

  await t.test('“Sign in with …” goes to the provider and comes back signed in', async (t) => {
    provider.add({ sub: 'subject-9', preferred_username: 'omar', groups: ['soc'] })
    provider.state.signedIn = 'subject-9'
    const page = await visit(t, address)
    await page.getByRole('link', { name: 'Sign in with Example' }).click()
    await page.waitForURL(`${address}/`)
    await page.goto(`${address}/sign-in/?account`)
    await page.getByText('Signed in as omar').waitFor()

    provider.add({ sub: 'subject-10', preferred_username: 'leila', groups: ['soc'] })
    provider.state.signedIn = 'subject-10'
    await page.context().clearCookies()
    await page.goto(`${address}/sign-in/`)
    await page.getByRole('link', { name: 'Sign in with Example' }).click()
    await page.getByText('Somebody else has your name here').waitFor()
  })
})
