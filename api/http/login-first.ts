import { AppError } from '#api/errors.ts'

/**
 * Where a browser goes that opens the address of a document while nobody is logged in: to the login, and from there back
 * to the document. Null for every other refusal, and for whoever asks as a program.
 */
export function loginBefore(request: Request, path: string, error: unknown): string | null {
  const isDocument = /^\/api\/billing\/(invoices|credit-notes)\/./.test(path)
  const isBrowser = (request.headers.get('accept') ?? '').includes('text/html')
  const isLoggedOut = error instanceof AppError && error.code === 'unauthenticated'
  if (!(isDocument && isBrowser && isLoggedOut)) return null
  return `/login?${new URLSearchParams({ redirect: path })}`
}
