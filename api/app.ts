import {
  type AnyElysia,
  type DefinitionBase,
  Elysia,
  type MetadataBase,
  type RouteBase,
  type SingletonBase,
} from 'elysia'
import { billingRoutes, ownerBillingRoutes } from '#api/features/billing/routes.ts'
import type { Context } from './context.ts'
import { whenWritable } from './db/busy.ts'
import { AppError } from './errors.ts'
import { analyticsRoutes } from './features/analytics/routes.ts'
import { announcementRoutes } from './features/announcements/routes.ts'
import { applicationRoutes } from './features/applications/routes.ts'
import { auditRoutes } from './features/audit/routes.ts'
import { sessionRoutes } from './features/auth/owner-routes.ts'
import { authRoutes } from './features/auth/routes.ts'
import { upgradeRoutes } from './features/billing/upgrades/routes.ts'
import { blogRoutes } from './features/blog/routes.ts'
import { bookRoutes } from './features/books/routes.ts'
import { brandRoutes } from './features/brand/routes.ts'
import { calendarRoutes } from './features/calendar/routes.ts'
import { commissionRoutes } from './features/commission/routes.ts'
import { contentRoutes } from './features/content/routes.ts'
import { type ContentStore, contentOf } from './features/content/service.ts'
import { docsRoutes } from './features/docs/routes.ts'
import { enquiryRoutes } from './features/enquiries/routes.ts'
import { feedRoutes } from './features/feeds/routes.ts'
import { followUpRoutes } from './features/follow-ups/routes.ts'
import { healthRoutes } from './features/health/routes.ts'
import { inboxRoutes } from './features/inbox/routes.ts'
import { invoiceRoutes } from './features/invoices/routes.ts'
import { jobRoutes } from './features/jobs/routes.ts'
import { mailRoutes } from './features/mail/routes.ts'
import { mailingRoutes } from './features/mailings/routes.ts'
import { mediaRoutes } from './features/media/routes.ts'
import { memberRecordRoutes } from './features/members/record-routes.ts'
import { memberRoutes } from './features/members/routes.ts'
import { ownerRoutes } from './features/owners/routes.ts'
import { podcastRoutes } from './features/podcast/routes.ts'
import { profileRoutes } from './features/profile/routes.ts'
import { progressPrefix, progressRoutes } from './features/progress/routes.ts'
import { quotientRoutes } from './features/quotient/routes.ts'
import { reactivationRoutes } from './features/reactivation/routes.ts'
import { reconcileRoutes } from './features/reconcile/routes.ts'
import { reportRoutes } from './features/report/routes.ts'
import { revenueRoutes } from './features/revenue/routes.ts'
import { sandboxControlRoutes, sandboxRoutes } from './features/sandbox/routes.ts'
import { settingRoutes } from './features/settings/routes.ts'
import { setupRoutes } from './features/setup/routes.ts'
import { signInRoutes } from './features/sign-in/routes.ts'
import { tierRoutes } from './features/tiers/routes.ts'
import { todayRoutes } from './features/today/routes.ts'
import { videoRoutes } from './features/videos/routes.ts'
import { watchingRoutes } from './features/watching/routes.ts'
import { isPagePath, redirectToCanonicalPath } from './http/canonical-path.ts'
import { errorResponse, loginRedirect } from './http/error-responses.ts'
import type { Site } from './http/page-cache.ts'
import { createFeedSource, createPageSource } from './http/page-source.ts'
import { createPageHandler, type PageHandler } from './http/pages.ts'
import type { ReadyPages } from './http/ready-pages.ts'
import { isChunk, isPhoto, readBytesBody, readJsonBody, readTextBody } from './http/request-body.ts'
import { assertRequestAllowed, keepQueryAsTyped, pathOf, unsubscribePath, webhookPath } from './http/request-checks.ts'
import { securityHeaders } from './http/security-headers.ts'
import { session } from './http/session.ts'
import { providerDeadlineMs, withProviderDeadline } from './stripe/deadline.ts'

export type AppOptions = {
  site?: Site | undefined
  readyPages?: ReadyPages
  /** How long a request waits for the provider at most. */
  deadlineMs?: number
}

/** Every feature's routes, and the site for all other paths. */
export function createApp(ctx: Context, { site, readyPages, deadlineMs = providerDeadlineMs }: AppOptions = {}): App {
  const content = () => contentOf(ctx)
  const app: AnyElysia = createFrame(ctx, site).wrap(
    (handle) => (request: Request) => withProviderDeadline(deadlineMs, () => handle(request)),
  )
  for (const routes of featureRoutes(ctx, site, content)) app.use(routes)
  if (ctx.settings.isSandbox) app.use(sandboxRoutes(ctx, fontOf(site)))
  if (ctx.settings.showsApiDocs) app.use(docsRoutes(ctx, () => app))
  app.use(siteRoutes(ctx, createPageHandler(site, createPageSource(ctx, content), readyPages)))
  assertEveryRouteGuarded(app.routes)
  compileWithoutCollection(app)
  return app
}

/**
 * Elysia compiles an app when its `fetch` is first read, which is at the first request, and then has the whole heap collected:
 * a fifth of a start. Compiled before, it costs as much, since the collector then comes by itself.
 */
function compileWithoutCollection(app: AnyElysia): void {
  const get = () => {
    const { gc } = Bun
    Object.assign(Bun, { gc: () => 0 })
    try {
      return Reflect.get(Elysia.prototype, 'fetch', app)
    } finally {
      Object.assign(Bun, { gc })
    }
  }
  Object.defineProperty(app, 'fetch', { configurable: true, get })
}

type Features = ReturnType<typeof featureRoutes>[number]['~Routes']
type Together<Routes> = (Routes extends unknown ? (routes: Routes) => void : never) extends (all: infer All) => void
  ? All
  : never

/** What the typed client needs of the app: the routes of all features, put together at once. */
export type App = Elysia<'', SingletonBase, DefinitionBase, MetadataBase, Together<Features> & RouteBase>

/** With the types of one feature after the other added up, each further one made the compiler take twice as long. */
function featureRoutes(ctx: Context, site: Site | undefined, content: () => ContentStore) {
  return [
    ...accountRoutes(ctx),
    tierRoutes(ctx),
    contentRoutes(ctx, content),
    brandRoutes(ctx),
    blogRoutes(ctx),
    healthRoutes(ctx),
    analyticsRoutes(ctx),
    podcastRoutes(ctx),
    feedRoutes(ctx, createFeedSource(ctx, site, content)),
    videoRoutes(ctx),
    mediaRoutes(ctx),
    progressRoutes(ctx),
    applicationRoutes(ctx),
    enquiryRoutes(ctx),
    calendarRoutes(ctx),
    inboxRoutes(ctx),
    billingRoutes(ctx),
    ownerBillingRoutes(ctx),
    upgradeRoutes(ctx),
    reconcileRoutes(ctx),
    invoiceRoutes(ctx, fontOf(site)),
    reactivationRoutes(ctx),
    quotientRoutes(ctx),
    memberRoutes(ctx),
    memberRecordRoutes(ctx),
    settingRoutes(ctx),
    setupRoutes(ctx),
    jobRoutes(ctx),
    mailRoutes(ctx),
    ownerRoutes(ctx),
    auditRoutes(ctx),
    ...figureRoutes(ctx),
    ...tellingRoutes(ctx),
    ...officeRoutes(ctx),
    sandboxControlRoutes(ctx),
  ] as const
}

/** Who one is, and how one shows it. */
const accountRoutes = (ctx: Context) =>
  [authRoutes(ctx), signInRoutes(ctx), profileRoutes(ctx), sessionRoutes(ctx)] as const

/** How the business does, as owners see it. */
const figureRoutes = (ctx: Context) =>
  [revenueRoutes(ctx), commissionRoutes(ctx), todayRoutes(ctx), watchingRoutes(ctx)] as const

/** What owners tell members. */
const tellingRoutes = (ctx: Context) => [announcementRoutes(ctx), mailingRoutes(ctx), followUpRoutes(ctx)] as const

/** What owners ask for by the terminal alone. */
const officeRoutes = (ctx: Context) => [bookRoutes(ctx), reportRoutes(ctx)] as const

/** The address of the site's own font, which the built document preloads. */
const fontOf = (site: Site | undefined) =>
  /<link rel="preload" as="font"[^>]* href="([^"]+)"/.exec(site?.template.document ?? '')?.[1] ?? null

/** What applies to every request and every response: headers, checks, bodies and errors. */
function createFrame(ctx: Context, site: Site | undefined) {
  const headers = securityHeaders(ctx, site?.template ?? { hashes: { script: [], style: [] }, document: '' })
  return new Elysia({ normalize: true })
    .onRequest(({ request, set }) => {
      set.headers = { ...headers(), 'x-request-id': ctx.newId() }
      const path = pathOf(request)
      if (path.startsWith('/api/')) set.headers['cache-control'] = 'private, no-store'
      const redirect = redirectToCanonicalPath(request)
      if (redirect) return redirect
      assertRequestAllowed(ctx, request, path)
    })
    .onParse({ as: 'global' }, async ({ request, path, route }) => {
      const body = await parseBody(request, path, route)
      if (path.startsWith('/api/') && !path.startsWith(progressPrefix)) await whenWritable(ctx)
      return body
    })
    .onTransform({ as: 'global' }, ({ query, request }) => keepQueryAsTyped({ query, request }))
    .onError({ as: 'global' }, ({ error, set, request, path }) => {
      const login = loginRedirect(request, path, error)
      if (login !== null) {
        set.status = 303
        set.headers.location = login
        return ''
      }
      const { status, body, retryAfter, cookie } = errorResponse(ctx, error, String(set.headers['x-request-id'] ?? ''))
      set.status = status
      if (retryAfter !== undefined) set.headers['retry-after'] = String(retryAfter)
      if (cookie !== undefined) set.headers['set-cookie'] = cookie
      return body
    })
}

/**
 * JSON, but for somebody's photo, the webhook, whose signature is over the raw text, and forms: of mail programs, and the
 * sandbox's. A piece of an upload is read by its route, once it is clear whose it is. Nobody reads a body elsewhere.
 */
function parseBody(request: Request, path: string, route: string): Promise<unknown> | null {
  if (route === anyPath || isChunk(request)) return null
  if (isPhoto(request)) return readBytesBody(request)
  const isText = path === webhookPath || path === unsubscribePath || path.startsWith('/sandbox/')
  return isText ? readTextBody(request) : readJsonBody(request)
}

const siteRoutes = (ctx: Context, respondWithPage: PageHandler) =>
  new Elysia({ name: 'site' })
    .use(session(ctx))
    .get(
      anyPath,
      ({ request, set, path }) => (isForPage(request, path) ? respondWithPage({ request, set }) : throwNothingHere()),
      { open: true },
    )
    .all(anyPath, () => throwNothingHere(), { open: true })

/** Where nothing of the sandbox is, whoever looks for it in a browser reads the site's own page about that. */
const isForPage = ({ headers }: Request, path: string) =>
  isPagePath(path) || (!path.startsWith('/api') && (headers.get('accept') ?? '').includes('text/html'))

/** Every path that no feature has. */
const anyPath = '/*'

function throwNothingHere(): never {
  throw new AppError('not_found', 'There is nothing at this address.')
}

/** Denies by default: the app is not built with a route that nobody has given a guard. */
function assertEveryRouteGuarded(
  routes: readonly { method: string; path: string; hooks: { detail?: { security?: unknown } } }[],
): void {
  const unguarded = routes.filter(({ hooks }) => hooks.detail?.security === undefined)
  if (unguarded.length > 0) {
    throw new Error(`Routes without a guard: ${unguarded.map(({ method, path }) => `${method} ${path}`).join(', ')}`)
  }
}
