import { Elysia } from 'elysia'
import { type Context, perContext } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import { authorize } from '#api/identity/authorize.ts'
import {
  type Impersonator,
  type Member,
  type Owner,
  type Person,
  toPerson,
  viewedPerson,
} from '#api/identity/person.ts'
import { personBySession, personByToken, type SessionRow } from '#api/identity/person-queries.ts'
import { assertOwnerProven } from '#api/identity/proof.ts'
import { assertFactorSet } from '#api/identity/second-factor.ts'
import { apiTokenHash, readSessionCookie, sessionHash } from '#api/identity/session-cookies.ts'
import { isOver, isViewingOver, latestTime, recordUse } from '#api/identity/session-use.ts'
import { type Connection, clientAddress } from '#api/serving/client-address.ts'
import type { AuditAction } from '#shared/contract/audit.ts'
import { timerHeader } from '#shared/contract/auth.ts'
import { type ReadingKind, readApart } from './apart.ts'
import { isForGuard, readForGuard } from './request-body.ts'
import { assertInScope, assertNotEndedElsewhere, assertNotViewing } from './session-use.ts'

/** Null once the time is up, or if the owner no longer is one. */
function viewedBy(ctx: Context, { id, isAdmin, sess: { impersonating } }: SessionRow, sid: string): Person | null {
  if (impersonating === undefined || !isAdmin || isViewingOver(ctx, impersonating.until)) return null
  return viewedPerson(ctx, impersonating.userId, { sid, impersonator: { id, until: impersonating.until } })
}

/** Guard and handler both need the person, so we read the rows once per request. */
const personOfRequest = new WeakMap<Request, { person: Member | null }>()

function personOf(ctx: Context, request: Request): Member | null {
  const known = personOfRequest.get(request)
  if (known !== undefined) return known.person
  const found = findPerson(ctx, request)
  const person = found && authorize(found)
  personOfRequest.set(request, { person })
  return person
}

function findPerson(ctx: Context, request: Request): Person | null {
  const bearer = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1]
  if (bearer !== undefined) {
    const times = { now: ctx.now().toISOString(), latest: new Date(latestTime(ctx)).toISOString() }
    const row = personByToken.get(ctx, { tokenHash: apiTokenHash(ctx, bearer), ...times })
    if (row === undefined) return null
    assertInScope(request, row.scopes)
    const { scopes, tokenId, provenAt, provenAgainAt } = row
    return toPerson(ctx, row, { scopes, tokenId, provenAt, provenAgainAt })
  }
  const token = readSessionCookie(ctx, request)
  if (!token) return null
  const sid = sessionHash(ctx, token)
  const row = personBySession(ctx, sid)
  if (row === undefined || isOver(ctx, row)) return null
  if (!request.headers.has(timerHeader)) recordUse(ctx, sid, row)
  const { provenAt, provenAgainAt } = row
  return viewedBy(ctx, row, sid) ?? toPerson(ctx, row, { sid, provenAt, provenAgainAt })
}

const assertNotImpersonating = (ctx: Context, request: Request): void =>
  assertNotViewing(request, () => personOf(ctx, request))

function assertImpersonator(ctx: Context, request: Request): Impersonator {
  const person = personOf(ctx, request)
  const ownerId = person?.impersonator?.id ?? assertOwner(ctx, request).userId
  if (!ownerId || !person?.sid) throw new AppError('conflict', 'Viewing as a member needs a browser.')
  return { ownerId, sid: person.sid, viewedId: person.impersonator && person.id }
}

/** If the settings require two-step login, an owner's browser without it can do nothing but set it up. */
function assertOwner(ctx: Context, request: Request, { isSettingUp = false } = {}): Owner {
  if (ctx.localActor !== undefined) return authorize({ actor: ctx.localActor, userId: null, sid: null, scopes: null })
  const person = assertKnown(personOf(ctx, request))
  if (!person.isAdmin) throw new AppError('forbidden', 'Only owners can do that.')
  if (person.sid !== null && !isSettingUp) assertFactorSet(ctx, person)
  const { id, sid, scopes, provenAt } = person
  return authorize({ actor: `user:${id}`, userId: id, sid, scopes, provenAt })
}

type ProvenWhen = true | 'unless-dry-run' | 'setting-up'

function assertLoggedIn(ctx: Context, request: Request): Member {
  assertNotImpersonating(ctx, request)
  if (personOf(ctx, request) === null) assertNotEndedElsewhere(ctx, request)
  return assertKnown(personOf(ctx, request))
}

function assertKnown(person: Member | null): Member {
  if (person === null) throw new AppError('unauthenticated', 'Log in to continue.')
  return person
}

function assertMember(person: Member): Member {
  if (!person.access.hasAccess && !person.isAdmin) {
    throw new AppError('forbidden', 'Member Access Required. Your account has no access to this right now.')
  }
  return person
}

type Apart = Omit<Parameters<typeof readApart>[1], 'kind'>

type Call = { request: Request; path: string; body: unknown }

/** Authenticates before reading a large body. Passing `call` on whole would make Elysia fill in all of its fields. */
const thenRead = (ctx: Context, check: (request: Request) => unknown) => async (call: Call) => {
  check(call.request)
  if (isForGuard(call.request, call.path)) call.body = await readChecked(ctx, call.request, call.path, check)
}

/** A sender can drag a body out for hours, in which the login may end, so we check again afterwards. */
async function readChecked(ctx: Context, request: Request, path: string, check: (request: Request) => unknown) {
  const body = await readForGuard(ctx, request, path)
  personOfRequest.delete(request)
  check(request)
  return body
}

const ownerOf =
  (ctx: Context, how?: { isSettingUp: boolean }) =>
  ({ request, server }: Connection) => ({
    owner: assertOwner(ctx, request, how),
    address: clientAddress(ctx, { request, server }),
  })

/** A field of the API document that’s ours. */
const extension = (name: `x-${string}`, value: unknown): object => ({ [name]: value })

const provenOwner = (ctx: Context) => (when: ProvenWhen) => {
  const isSettingUp = when === 'setting-up'
  return {
    detail: { security: [{ session: ['owner', 'password'] }] },
    transform: async (call: Call & { query: Record<string, unknown> }) => {
      const isTrial = when === 'unless-dry-run' && call.query.dryRun === 'true'
      const check = (request: Request) => {
        const owner = assertOwner(ctx, request, { isSettingUp })
        if (!isTrial) assertOwnerProven(ctx, owner)
      }
      check(call.request)
      if (isForGuard(call.request, call.path)) call.body = await readChecked(ctx, call.request, call.path, check)
    },
    resolve: ownerOf(ctx, { isSettingUp }),
  }
}

/**
 * The guards. Every route has exactly one, or the app refuses to be built: `open` (anyone, not looked up), `visitor` (anyone,
 * `person` may be null), `person` (logged in), `member` (has access, or is an owner), `owner`, `provenOwner` (entered the
 * password within the last minutes; `setting-up` also before two-step login is set up), `impersonator` (an owner's browser, even
 * while it views as a member). They reject before the body is validated, so outsiders learn nothing about its fields, and before
 * a large one is read. The role is in the route's OpenAPI `security`, where the startup check and the docs find it. Made once for
 * all features, because making one costs as much of a start as a route.
 *
 * An owners’ act says what it is: `provenOwner`, or `owner` with why it needn’t ask for the password again ('asks when …' if its
 * service does for part of it), and as `audit` what it’s called in the log; null for one that changes nothing.
 *
 * `apart`: on a large site a thread of its own reads it, one for lists and one for reports, so that no list waits for a report
 * ([why](docs/decisions/085-people-found-by-an-index.md)).
 *
 * `says` is the route’s sentence in the API document. Its `tags`, or those of its Elysia, name the group there.
 */
export const session = perContext((ctx) =>
  new Elysia({ name: 'session' }).macro({
    says: (summary: string) => ({ detail: { summary } }),
    audit: (actions: AuditAction | AuditAction[] | null) => ({
      detail: extension('x-audit', [actions ?? []].flat()),
    }),
    // What draws a PDF writes its file, too.
    apart: (kind: ReadingKind) => ({
      detail: extension('x-apart', kind),
      beforeHandle: ({ request, set, server }: Apart) =>
        /[?&]format=pdf\b/.test(request.url) ? undefined : readApart(ctx, { request, set, server, kind }),
    }),
    open: { detail: { security: [] } },
    visitor: {
      detail: { security: [] },
      transform: ({ request }) => assertNotImpersonating(ctx, request),
      resolve: ({ request, server }) => ({
        person: personOf(ctx, request),
        address: clientAddress(ctx, { request, server }),
      }),
    },
    person: {
      detail: { security: [{ session: ['person'] }] },
      transform: ({ request }) => void assertLoggedIn(ctx, request),
      resolve: ({ request, server }) => ({
        person: assertLoggedIn(ctx, request),
        address: clientAddress(ctx, { request, server }),
      }),
    },
    member: {
      detail: { security: [{ session: ['member'] }] },
      transform: thenRead(ctx, (request) => assertMember(assertLoggedIn(ctx, request))),
      resolve: ({ request }) => ({ member: assertMember(assertLoggedIn(ctx, request)) }),
    },
    owner: (unasked: true | string) => ({
      detail: { security: [{ session: ['owner'] }], ...(unasked !== true && extension('x-password', unasked)) },
      transform: thenRead(ctx, (request) => assertOwner(ctx, request)),
      resolve: ownerOf(ctx),
    }),
    provenOwner: provenOwner(ctx),
    impersonator: {
      detail: { security: [{ session: ['owner'] }], ...extension('x-password', 'it shows, and changes nothing') },
      transform: thenRead(ctx, (request) => assertImpersonator(ctx, request)),
      resolve: ({ request }) => ({ impersonator: assertImpersonator(ctx, request) }),
    },
  }),
)
