import { AppError } from '#api/errors.ts'

/** Routes that move money or decide access. */
const movesMoneyOrAccess = new RegExp(
  `^/api/(${[
    'create-(subscription|delayed-subscription|quotient-payment)$',
    'billing/(cancel|card|change-tier|end|pay|resume|upgrade)',
    `admin/members(/:memberId/(refund|revoke-access|free-access|free-month|put-off|subscription|upgrade|card-link|sync|archive)|/:memberId$|$)`,
    'admin/(tiers|subscription-links|reactivation-links|revenue-months|document-numbers)',
    'admin/(fix|delete)-member-invoices',
    'admin/(invoice|credits|payments|lost-orders|invitations)',
    'admin/(manual-commissions|commission-)',
    'admin/inbox/:kind/:id/invitation',
    'admin/(owners|tokens|impersonate|second-factor)',
    'user/(account|archive)',
  ].join('|')})`,
)

type Route = { method: string; path: string; hooks: { body?: unknown; query?: unknown } }

export const isStrict = (route: Route): boolean =>
  route.method !== 'GET' && (movesMoneyOrAccess.test(route.path) || isBareStart(route))

/** Owners begin something and name no more than what: an import is applied, a campaign goes on. */
const isBareStart = ({ method, path, hooks: { body, query } }: Route): boolean =>
  method === 'POST' && path.startsWith('/api/admin/') && body === undefined && query === undefined

type Call = { route: string; request: Request; query: Record<string, unknown>; body: unknown }

/**
 * What such a route doesn't know mustn't be ignored: a `dryRun` in the body, where it belongs in the address, would move the money.
 * The schemas of those that take something are strict; this is for what has no schema. Throws 422, each name with its own sentence.
 */
export function createUnknownCheck(routes: () => readonly Route[]): (call: Call) => void {
  let strict: ReadonlyMap<string, Route['hooks']> | undefined
  const keyOf = (method: string, path: string) => `${method} ${path}`
  return ({ route, request: { method }, query, body }) => {
    strict ??= new Map(
      routes()
        .filter(isStrict)
        .map((one) => [keyOf(one.method, one.path), one.hooks]),
    )
    const hooks = strict.get(keyOf(method, route))
    if (hooks === undefined) return
    const unknown = [
      ...(hooks.query === undefined ? Object.keys(query) : []),
      ...(hooks.body === undefined && typeof body === 'object' ? Object.keys(body ?? {}) : []),
    ]
    if (unknown.length === 0) return
    const fields = Object.fromEntries(unknown.map((name) => [name, 'There’s no such field here.']))
    throw new AppError('invalid', `We don’t know ${unknown.join(', ')} here, so we’ve done nothing.`, { fields })
  }
}
