/** `continue` is the token of a mailed link; `redirect_status` comes back from the bank's page. */
export type JoinSearch = { continue?: string; redirect_status?: string }

export function readJoinSearch(search: Record<string, unknown>): JoinSearch {
  const { continue: token, redirect_status: status } = search
  return {
    ...(typeof token === 'string' && token ? { continue: token } : {}),
    ...(typeof status === 'string' && status ? { redirect_status: status } : {}),
  }
}
