import { AppError, unavailable } from '@manara/kit/errors'
import nodemailer from 'nodemailer'
import type { SendMail } from '../ports/mail.ts'

// What a server is told before the text: when it fails there, no mail was taken.
const BEFORE_THE_TEXT = /^(CONN|EHLO|HELO|LHLO|STARTTLS|AUTH\b.*|MAIL FROM|RCPT TO|API)$/

/** One connection a mail: they are few, and a broken line then concerns one of them only. */
export function createMailer(settings: {
  url: string | undefined
  from: string
  /** Of the user in `url`, asked for each mail: it may be given another value. */
  password?: (() => Promise<string>) | undefined
}): SendMail {
  const { url } = settings
  if (url === undefined) {
    return async () => {
      throw unavailable('no mail server is connected: set SOC_SMTP_URL and start again')
    }
  }
  return async (mail, signal) => {
    signal.throwIfAborted()
    const transport = nodemailer.createTransport(await signedIn(url, settings.password), {
      from: settings.from,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    const hangUp = () => transport.close()
    signal.addEventListener('abort', hangUp)
    try {
      const sent = await transport.sendMail(mail)
      return { accepted: sent.accepted.map(String), rejected: sent.rejected.map(String) }
    } catch (error) {
      throw wasNotTaken(error) ? notTaken(error) : error
    } finally {
      signal.removeEventListener('abort', hangUp)
      transport.close()
    }
  }
}

async function signedIn(url: string, password: (() => Promise<string>) | undefined) {
  if (!password) return url
  const whole = new URL(url)
  whole.password = encodeURIComponent(await password())
  return whole.href
}

function wasNotTaken(error: unknown): boolean {
  const { command, responseCode } = error as { command?: string; responseCode?: number }
  return (responseCode ?? 0) >= 400 || BEFORE_THE_TEXT.test(command ?? '')
}

const notTaken = (error: unknown) =>
  new AppError(503, `the mail server did not take it: ${(error as Error).message}`, {
    cause: error,
  })
