/** Under TLS the prefix makes browsers refuse it from any other origin, path or plain connection. */
export function sessionCookie(isTls: boolean) {
  return {
    name: isTls ? '__Host-soc_session' : 'soc_session',
    options: { httpOnly: true, sameSite: 'strict', path: '/', secure: isTls } as const,
  }
}

export type SessionCookie = ReturnType<typeof sessionCookie>
