type Mail = { to: string[]; subject: string; text: string; messageId: string }

/**
 * Resolves when the mail server took it. Rejects with an AppError when it surely did not; with any
 * other error when that is not known.
 */
export type SendMail = (
  mail: Mail,
  signal: AbortSignal,
) => Promise<{ accepted: string[]; rejected: string[] }>
