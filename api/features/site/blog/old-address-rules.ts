const base = 'https://own.invalid'

/** Whether an old address may lead there: a page of this site, and nothing that acts, such as `/api/logout`. */
export function leadsToOwnPage(to: string): boolean {
  if (!/^\/(?![/\\])/.test(to) || !to.isWellFormed() || !URL.canParse(encodeURI(to), base)) return false
  const { origin, pathname } = new URL(encodeURI(to), base)
  return origin === base && !/^\/+api(\/|$)/i.test(pathname)
}
