import type { Report } from '#cli/output.ts'

type Login = { api: string; email: string; expiresAt: string }

/** Never with the token. */
export function loginReport(login: Login): Report {
  return {
    answer: login,
    sheet: () => ({ head: ['api', 'email', 'expiresAt'], rows: [[login.api, login.email, login.expiresAt]] }),
    text: () => '',
  }
}
