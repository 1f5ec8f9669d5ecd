import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { auditEntries } from '#api/db/schema/audit.ts'
import { users } from '#api/db/schema/people.ts'
import { invalidateResponses } from '#api/serving/kept-answers.ts'
import { coachingApplication, coachingBooking, contactMessage, rowsOf } from '#api/testing/enquiries.ts'
import { type Call, readError, startWorld, type World } from '#api/testing/world.ts'
import { applicationStatuses, bookingStatuses } from '#shared/values/column-values.ts'

const day = 86_400_000
const membershipApplication = {
  firstName: 'Sam',
  lastName: 'Field',
  email: 'sam@example.com',
  phone: '07700 900123',
  businessName: 'Field Decorating',
  trade: 'Painter',
  businessStage: 'growing',
  yearsInTrade: '12',
  currentChallenges: 'Quoting',
  goals: 'Rest',
  whyJoin: 'A mate',
  hearAboutUs: 'Podcast',
  agreeTerms: true,
}
const forms = {
  'membership-applications': ['/api/membership-application', membershipApplication],
  'coaching-applications': ['/api/coaching-application', coachingApplication],
  'coaching-bookings': ['/api/coaching-bookings', coachingBooking],
  contacts: ['/api/contact', contactMessage],
} as const
type Kind = keyof typeof forms

let world: World
let asOwner: Call
beforeEach(() => {
  world = startWorld()
  asOwner = world.signIn(world.addOwner())
})

async function send(kind: Kind, more: object = {}): Promise<string> {
  const [path, body] = forms[kind]
  const response = await world.call(path, { body: { ...body, ...more } })
  return (await response.json()).id
}

const list = async (path: string): Promise<Record<string, unknown>[]> => (await asOwner(`/api/admin/${path}`)).json()
const idsOf = async (path: string) => (await list(path)).map(({ id }) => id)
const setStatus = (kind: Kind, id: string, body: object) =>
  asOwner(`/api/admin/${kind}/${id}/status`, { method: 'PATCH', body })
const audited = () => world.ctx.db.select().from(auditEntries).all()

describe('the lists', () => {
  test('CALLS-11 ENT-4 ENT-12 membership applications, whole', async () => {
    const id = await send('membership-applications', { selectedTier: 'xl' })
    const { agreeTerms: _, ...written } = membershipApplication
    expect(await list('membership-applications')).toEqual([
      {
        ...written,
        id,
        selectedTier: 'xl',
        status: 'pending',
        createdAt: world.ctx.now().toISOString(),
        termsVersion: expect.stringMatching(/^\d{4}-\d\d-\d\d-\w+$/),
        memberId: null,
      },
    ])
  })

  test('an application names the account of its sender once they are a member, and no longer once that has ended', async () => {
    await send('membership-applications')
    const named = async () => (await list('membership-applications'))[0]?.memberId
    const { id } = world.addUser({ email: membershipApplication.email })
    expect(await named()).toBeNull()
    const give = (accessOverride: 'granted' | 'revoked') => {
      world.ctx.db.update(users).set({ accessOverride }).where(eq(users.id, id)).run()
      invalidateResponses(world.ctx)
    }
    give('granted')
    expect(await named()).toBe(id)
    give('revoked')
    expect(await named()).toBeNull()
  })

  test('CALLS-18 ENT-10 coaching applications, whole', async () => {
    const id = await send('coaching-applications')
    expect(await list('coaching-applications')).toEqual([
      {
        ...coachingApplication,
        id,
        tradeName: 'Painter and decorator',
        status: 'pending',
        createdAt: world.ctx.now().toISOString(),
      },
    ])
  })

  test('CALLS-17 ENT-13 messages of the contact form', async () => {
    const id = await send('contacts')
    expect(await list('contacts')).toEqual([{ ...contactMessage, id, createdAt: world.ctx.now().toISOString() }])
  })

  test('CALLS-19 ENT-14 bookings', async () => {
    const noTime = { kind: null, coachName: null, startsAt: null, agreement: null }
    const id = await send('coaching-bookings')
    expect(await list('coaching-bookings')).toEqual([
      {
        ...coachingBooking,
        ...noTime,
        tradeName: coachingBooking.trade,
        id,
        memberId: null,
        status: 'scheduled',
        createdAt: world.ctx.now().toISOString(),
      },
    ])
  })

  test('CALLS-20 upcoming bookings are the scheduled ones from today on, the next one first', async () => {
    const held = await send('coaching-bookings')
    world.forward(day)
    asOwner = world.signIn(world.addOwner())
    const [today, cancelled] = [await send('coaching-bookings'), await send('coaching-bookings')]
    await setStatus('coaching-bookings', cancelled, { status: 'cancelled' })
    world.forward(day)
    const tomorrow = await send('coaching-bookings')
    asOwner = world.signIn(world.addOwner())
    expect(await idsOf('coaching-bookings/upcoming')).toEqual([today, tomorrow])
    expect((await idsOf('coaching-bookings')).sort()).toEqual([held, today, cancelled, tomorrow].sort())
  })

  test('are searched, filtered and sorted; spam is in none of them until it is asked for', async () => {
    const first = await send('coaching-applications', { name: 'Zoë Alder', email: 'zoe@example.com' })
    world.forward(1000)
    const second = await send('coaching-applications')
    const trapped = await send('coaching-applications', { homepage: 'https://spam.example' })
    await setStatus('coaching-applications', first, { status: 'approved' })
    expect(await idsOf('coaching-applications')).toEqual([second, first])
    expect(await idsOf('coaching-applications?q=zoe+alder')).toEqual([first])
    expect(await idsOf('coaching-applications?show=approved')).toEqual([first])
    expect(await idsOf('coaching-applications?show=spam')).toEqual([trapped])
    expect(await idsOf('coaching-applications?sort=received')).toEqual([first, second])
    expect((await asOwner('/api/admin/contacts?show=approved')).status).toBe(422)
    const page = await asOwner('/api/admin/coaching-applications?limit=1')
    expect([page.headers.get('x-total-count'), page.headers.get('link')]).toEqual([
      '2',
      expect.stringContaining('next'),
    ])
  })
})

describe('a status', () => {
  const kinds = [
    ['membership-applications', 'membership_applications', applicationStatuses],
    ['coaching-applications', 'coaching_applications', applicationStatuses],
    ['coaching-bookings', 'coaching_bookings', bookingStatuses],
  ] as const
  for (const [kind, table, statuses] of kinds) {
    test(`CALLS-21 SIMP-6 SIMP-7 SIMP-8 of ${kind}: any after any, and no other; each change is in the audit log`, async () => {
      const id = await send(kind)
      const order = statuses.flatMap((one) => statuses.flatMap((other) => [one, other]))
      let changes = 0
      let before: unknown = statuses[0]
      for (const status of order) {
        expect((await setStatus(kind, id, { status })).status).toBe(200)
        expect(rowsOf(world, table)[0]).toMatchObject({ status })
        if (status !== before) changes += 1
        before = status
      }
      expect(audited().filter(({ targetId }) => targetId === id)).toHaveLength(changes)
      for (const status of ['nonsense', '', null]) expect((await setStatus(kind, id, { status })).status).toBe(422)
      expect((await setStatus(kind, world.ctx.newId(), { status: statuses[1] })).status).toBe(404)
    })
  }

  test('that the other owner has changed meanwhile is not overwritten; both are named', async () => {
    const id = await send('membership-applications')
    await setStatus('membership-applications', id, { status: 'rejected', before: 'pending' })
    const refused = await readError(
      await setStatus('membership-applications', id, { status: 'approved', before: 'pending' }),
    )
    expect([refused.status, refused.code]).toEqual([409, 'conflict'])
    expect(refused.message).toMatch(/rejected.*approved/)
    expect(rowsOf(world, 'membership_applications')[0]).toMatchObject({ status: 'rejected' })
    const agreed = await setStatus('membership-applications', id, { status: 'rejected', before: 'pending' })
    expect(agreed.status).toBe(200)
  })
})

test('CALLS-32 a membership application is deleted; the audit log keeps that it was, without a word of it', async () => {
  const id = await send('membership-applications')
  const remove = () => asOwner(`/api/admin/membership-applications/${id}`, { method: 'DELETE' })
  expect((await remove()).status).toBe(200)
  expect(rowsOf(world, 'membership_applications')).toEqual([])
  expect(audited()).toMatchObject([{ action: 'membership-application.deleted', targetId: id }])
  expect(JSON.stringify(audited())).not.toContain('Field')
  expect(await readError(await remove())).toMatchObject({
    status: 404,
    message: expect.stringContaining('application'),
  })
})
