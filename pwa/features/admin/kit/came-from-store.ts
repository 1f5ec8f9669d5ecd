export type AdminPage = { pathname: string; search: Record<string, unknown> }

/** Where the owner has been since this page loaded, the newest last. Nothing is stored: an address may name a member. */
let trail: readonly AdminPage[] = []

const longest = 20

/** Changed filters are the same page. Going back one takes the page that was left off the trail. */
function trailWith({ pathname, search }: AdminPage): readonly AdminPage[] {
  const isAt = (from: number) => trail.at(from)?.pathname === pathname
  const before = isAt(-1) ? trail.slice(0, -1) : isAt(-2) ? trail.slice(0, -2) : trail
  return [...before, { pathname, search }].slice(-longest)
}

export function visitAdminPage(page: AdminPage): void {
  if (/^\/(admin|view-member)\b/.test(page.pathname)) trail = trailWith(page)
}

/** Whether they've come from another page of the owners' area. */
export const hasMoved = () => trail.length > 1

/** The page the owner came to this one from. Today if they opened it by its address. */
export const cameFrom = (page: AdminPage): AdminPage => trailWith(page).at(-2) ?? { pathname: '/admin', search: {} }
