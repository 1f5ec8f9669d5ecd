import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import { raiseBillingOffset } from '#api/billing-clock.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { openCalendar } from '#api/testing/calendar.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { ErrorBody } from '#shared/contract/error.ts'
import { CallAgreement, MemberCalls } from '#shared/contract/member-calls.ts'

const monday9 = '2026-06-15T08:00:00.000Z'
const day = 86_400_000

let world: World
let member: World['call']
let owner: World['call']
beforeEach(() => {
  world = startWorld()
  openCalendar(world)
  member = world.signIn(world.addMember({ tier: 'xl' }))
  owner = world.signIn(world.addOwner())
})

const mine = async (call = member) => v.parse(MemberCalls, await (await call('/api/calendar/mine')).json())
async function book(kind: 'coaching' | 'catch-up' = 'coaching', startsAt = monday9): Promise<string> {
  await member('/api/calendar/calls', { body: { kind, coach: 'coach-1', startsAt } })
  return (await mine()).calls.find((call) => call.startsAt === startsAt)?.id ?? ''
}
const write = (call: World['call'], path: string, body: { agreed: string; version: number }) =>
  call(path, { method: 'PUT', body })
const read = async (response: Response) => v.parse(CallAgreement, await response.json())

describe('a member’s own calls', () => {
  test('are part of the membership, which an owner has none of', async () => {
    expect([(await mine()).includedMinutes, (await mine(owner)).includedMinutes]).toEqual([60, null])
  })

  test('BOOK-1 are those to come and those held, the latest first, with a link until they begin', async () => {
    await book()
    await book('catch-up', '2026-06-16T08:00:00.000Z')
    const { next, calls } = await mine()
    expect([next?.startsAt, calls.map(({ kind }) => kind)]).toEqual([monday9, ['catch-up', 'coaching']])
    expect(calls.every(({ link }) => link?.includes('/book-call?call='))).toBe(true)
    raiseBillingOffset(world.ctx, 3 * day + 12 * 3_600_000)
    expect((await mine()).calls.map(({ link }) => link !== null)).toEqual([true, false])
    const [catchUp] = calls
    const token = new URL(catchUp?.link ?? '').searchParams.get('call')
    await world.call('/api/calendar/call/cancel', { body: { token } })
    expect((await mine()).calls.map(({ kind }) => kind)).toEqual(['coaching'])
    expect((await mine(world.signIn(world.addMember()))).calls).toEqual([])
  })

  test('are reminded of at the account’s address, also one it got after the booking', async () => {
    await book()
    world.ctx.sqlite.exec(`update users set email = 'after@example.com' where isAdmin = 0`)
    raiseBillingOffset(world.ctx, 2 * day + 60_000 * 30)
    await runJob(world.ctx, 'call-reminders')
    const to = `select "to" from mail_outbox where cause like '%:reminder:%'`
    expect(world.ctx.sqlite.prepare(to).pluck().all()).toEqual(['after@example.com'])
  })

  test('what was agreed is written by both, with the version that was read, and by nobody else', async () => {
    const id = await book()
    const own = `/api/calendar/mine/${id}/agreed`
    const coachs = `/api/admin/calendar/calls/${id}/agreed`
    const first = await read(await write(member, own, { agreed: 'Ring the bank', version: 0 }))
    expect(first).toMatchObject({ agreed: 'Ring the bank', by: 'member', version: 1 })
    // Sending the same again after a lost response isn't a conflict.
    expect((await write(member, own, { agreed: 'Ring the bank', version: 0 })).status).toBe(200)
    expect(await read(await write(owner, coachs, { agreed: 'Raise the rate', version: 1 }))).toMatchObject({
      by: 'coach',
      version: 2,
    })
    const late = await write(member, own, { agreed: 'Something else', version: 1 })
    const { error } = v.parse(ErrorBody, await late.json())
    expect([late.status, error.code]).toEqual([409, 'version_conflict'])
    expect(v.parse(CallAgreement, error.versions?.current).agreed).toBe('Raise the rate')
    expect((await mine()).calls[0]).toMatchObject({ agreed: 'Raise the rate', by: 'coach' })
    const other = world.signIn(world.addMember())
    expect((await write(other, own, { agreed: 'Mine', version: 2 })).status).toBe(404)
    const log = world.ctx.sqlite.prepare(`select detail from audit_entries where action = 'call.agreed'`).all()
    expect([log.length, JSON.stringify(log).includes('Raise')]).toEqual([1, false])
  })
})
