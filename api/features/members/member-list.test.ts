import fc from 'fast-check'
import { expect, test } from 'vitest'
import { providerInvoices } from '#api/db/schema/provider.ts'
import { invalidateResponses } from '#api/serving/kept-answers.ts'
import { readError, startWorld, type World } from '#api/testing/world.ts'
import { subscriptionStatuses } from '#shared/contract/billing.ts'
import { totalHeader } from '#shared/contract/listing.ts'
import { type AdminMember, memberFilters, memberSorts } from '#shared/contract/members.ts'
import { shippedTierSlugs } from '#shared/contract/tier.ts'
import { foldText } from '#shared/rules/fold-text.ts'
import { listedMemberState } from '#shared/rules/member-state.ts'

const day = 86_400_000

/** Every status, unpaid within and beyond the grace period, ending or not, with each override; and some without any. */
function addPeople(world: World): void {
  const { ctx } = world
  const names = ['Ann Adair', 'ann adair', 'Bo Öz', 'Cy D’Arcy', 'Zoë Ng']
  let place = 0
  const nextName = () => {
    const [firstName = '', lastName = ''] = (names[place++ % names.length] ?? '').split(' ')
    return { firstName, lastName, trade: place % 2 ? 'Plumber' : null }
  }
  for (const status of subscriptionStatuses)
    for (const accessOverride of [null, 'granted', 'revoked'] as const)
      for (const unpaidDays of [0, 5, 20]) {
        const cancelAtPeriodEnd = unpaidDays === 5
        const isSettled = unpaidDays !== 20
        const tier = shippedTierSlugs[place % shippedTierSlugs.length]
        const passwordHash = place % 3 ? 'hash' : null
        const subscription = { status, cancelAtPeriodEnd, isSettled }
        const { id } = world.addMember({
          ...nextName(),
          ...(tier && { tier }),
          accessOverride,
          passwordHash,
          subscription,
        })
        if (unpaidDays > 0) addUnpaidRenewal(world, id, new Date(ctx.billingNow().getTime() - unpaidDays * day))
      }
  for (let count = 0; count < 6; count += 1) world.addUser(nextName())
}

function addUnpaidRenewal({ ctx }: World, userId: string, created: Date): void {
  const found = ctx.sqlite
    .prepare<[string], { id: string; customerId: string }>(
      'select s.id, s.customerId from subscriptions s join customers c on c.id = s.customerId where c.userId = ?',
    )
    .get(userId)
  if (!found) throw new Error('no subscription')
  const at = created.toISOString()
  ctx.db
    .insert(providerInvoices)
    .values({
      id: `in_${userId.slice(-12)}`,
      customerId: found.customerId,
      subscriptionId: found.id,
      status: 'open',
      billingReason: 'subscription_cycle',
      net: 25_000,
      vat: 5_000,
      total: 30_000,
      amountPaid: 0,
      created: at,
    })
    .run()
}

const nameOf = ({ firstName, lastName }: AdminMember) => [lastName, firstName].filter((part) => part !== null).join(' ')

/** The sort keys, in the order SQLite compares text. */
const keyOf: Record<(typeof memberSorts)[number], (member: AdminMember) => string | number> = {
  joined: ({ id }) => id,
  name: (member) => foldText(nameOf(member)),
  email: ({ email }) => email,
  seen: ({ lastSeenAt }) => lastSeenAt ?? '',
  videos: ({ videosCompleted }) => videosCompleted,
}

const shows: Record<(typeof memberFilters)[number], (member: AdminMember) => boolean> = {
  'with-access': ({ isMember }) => isMember,
  'without-access': ({ isMember, isAdmin }) => !isMember && !isAdmin,
  paying: ({ status, isAdmin }) => !isAdmin && ['active', 'past_due'].includes(status),
  'set-up': ({ status, label, isAdmin }) => !isAdmin && status === 'trialing' && !label.includes(', ends on '),
  ended: ({ status, isAdmin, isRevoked, isComplimentary }) =>
    !isAdmin && !isRevoked && !isComplimentary && ['canceled', 'incomplete_expired'].includes(status),
  'never-joined': ({ status, isAdmin, isRevoked, isComplimentary }) =>
    !isAdmin && !isRevoked && !isComplimentary && status === 'none',
  owners: ({ isAdmin }) => isAdmin,
  'payment-due': ({ status }) => status === 'past_due' || status === 'unpaid',
  ending: ({ label }) => label.includes(', ends on '),
  revoked: ({ isRevoked }) => isRevoked,
  complimentary: ({ isRevoked, isComplimentary }) => isComplimentary && !isRevoked,
  'no-password': ({ hasPassword }) => !hasPassword,
  'mail-refused': ({ mailRefused }) => mailRefused !== null,
  // No one has been a member long enough to be quiet. `risk.test.ts` covers the other reasons.
  'at-risk': ({ status, isAdmin }) => !isAdmin && (status === 'past_due' || status === 'unpaid'),
}

const bytes = (value: string | number) => (typeof value === 'number' ? value : Buffer.from(value).toString('hex'))
const compare = (one: string | number, other: string | number) => (one < other ? -1 : one > other ? 1 : 0)

test('CALLS-9 whatever is searched, shown and sorted by, the pages hold what a naive reading of all rows gives', {
  tags: ['full'],
}, async () => {
  const world = startWorld()
  addPeople(world)
  const asOwner = world.signIn(world.addOwner())
  invalidateResponses(world.ctx)
  const everyone: AdminMember[] = await (await asOwner('/api/admin/members?limit=1000')).json()
  expect(everyone.length).toBe(subscriptionStatuses.length * 9 + 7)
  const bought = world.ctx.sqlite.prepare<[], { userId: string; tierSlug: string }>(
    'select userId, tierSlug from subscriptions s join customers c on c.id = s.customerId',
  )
  const boughtBy = new Map(bought.all().map(({ userId, tierSlug }) => [userId, tierSlug]))
  const request = fc.record({
    sort: fc.constantFrom(...memberSorts),
    isDescending: fc.boolean(),
    show: fc.option(fc.constantFrom(...memberFilters.filter((name) => name !== 'ending' && name !== 'complimentary')), {
      nil: undefined,
    }),
    tier: fc.option(fc.constantFrom(...shippedTierSlugs), { nil: undefined }),
    q: fc.constantFrom('', 'ann', 'ADAIR a', 'öz', "D'ARCY", 'zoe', 'plumb', '100%', '_', 'nobody at all'),
    limit: fc.integer({ min: 1, max: 40 }),
  })
  await fc.assert(
    fc.asyncProperty(request, async ({ sort, isDescending, show, tier, q, limit }) => {
      const query = new URLSearchParams({ sort: `${isDescending ? '-' : ''}${sort}`, q, limit: String(limit) })
      if (show !== undefined) query.set('show', show)
      if (tier !== undefined) query.set('tier', tier)
      const words = foldText(q).split(/\s+/).filter(Boolean)
      const text = ({ firstName, lastName, email, phone, trade }: AdminMember) =>
        foldText([firstName, lastName, email, phone, trade].filter((part) => part !== null).join(' '))
      const expected = everyone
        .filter((member) => show === undefined || shows[show](member))
        .filter(({ id }) => tier === undefined || boughtBy.get(id) === tier)
        .filter((member) => words.every((word) => text(member).includes(word)))
        .sort((one, other) => {
          const order = compare(bytes(keyOf[sort](one)), bytes(keyOf[sort](other))) || compare(one.id, other.id)
          return isDescending ? -order : order
        })
      const { rows, totals } = await readAll(asOwner, `/api/admin/members?${query}`)
      expect(rows.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
      const [first, ...others] = totals
      expect([first, others.filter((total) => total !== null)]).toEqual([String(expected.length), []])
    }),
    { numRuns: process.env.FULL ? 500 : 40 },
  )
})

async function readAll(call: ReturnType<World['signIn']>, path: string) {
  const rows: AdminMember[] = []
  const totals: (string | null)[] = []
  let next: string | undefined = path
  while (next !== undefined) {
    const response: Response = await call(next)
    totals.push(response.headers.get(totalHeader))
    rows.push(...((await response.json()) as AdminMember[]))
    next = /^<(.+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1]
  }
  return { rows, totals }
}

test('a cursor that is none, an unknown order and an unknown filter are refused at their field', async () => {
  const world = startWorld()
  const asOwner = world.signIn(world.addOwner())
  for (const [query, field] of [
    ['cursor=nonsense', 'cursor'],
    ['cursor=WzEsMl0', 'cursor'],
    ['sort=password', 'sort'],
    ['show=everything', 'show'],
  ]) {
    const { status, fields } = await readError(await asOwner(`/api/admin/members?${query}`))
    expect([query, status, Object.keys(fields ?? {})]).toEqual([query, 422, [field]])
  }
})

test('BILL-03 each row says the state that the page of its member says, whatever it is', async () => {
  const world = startWorld()
  addPeople(world)
  const call = world.signIn(world.addOwner())
  const rows: AdminMember[] = await (await call('/api/admin/members?limit=200')).json()
  expect(new Set(rows.map(({ stateLine }) => stateLine)).size).toBeGreaterThan(12)
  expect(rows.some(({ label, stateLine }) => label === 'No Active Subscription' && /You keep/.test(stateLine))).toBe(
    true,
  )
  for (const { id, stateLine } of rows) {
    const { stateLine: shown } = await (await call(`/api/admin/member/${id}`)).json()
    expect([id, stateLine]).toEqual([id, shown])
  }
})

test('who had access until a day and never paid has ended, and hasn’t “never joined”', async () => {
  const world = startWorld()
  const call = world.signIn(world.addOwner())
  const { id } = world.addUser({ accessOverride: 'granted', accessUntil: '2026-05-31T23:00:00.000Z' })
  world.addUser()
  const counts: Record<string, number> = await (await call('/api/admin/members/counts')).json()
  expect([counts.ended, counts['never-joined'], counts.complimentary]).toEqual([1, 1, 0])
  const ended: AdminMember[] = await (await call('/api/admin/members?show=ended')).json()
  expect(ended.map((row) => [row.id, listedMemberState(row).text])).toEqual([[id, 'Free access ended 31 May 2026']])
  const never: AdminMember[] = await (await call('/api/admin/members?show=never-joined')).json()
  expect(never.map((row) => listedMemberState(row).text)).toEqual(['Never joined'])
  const { billing } = await (await call(`/api/admin/members/${id}/record`)).json()
  expect(billing.freeEndedOn).toBe('2026-05-31')
})
