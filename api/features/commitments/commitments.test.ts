import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { openCalendar } from '#api/testing/calendar.ts'
import { readError, startOfTime, startWorld, type World } from '#api/testing/world.ts'
import type { CommitmentChange, CommitmentSyncResponse, MemberCommitments } from '#shared/contract/commitments.ts'
import type { SyncResponse } from '#shared/contract/progress.ts'
import { idOfLine } from '#shared/rules/commitments.ts'
import { uuidV7 } from '#shared/rules/id.ts'

const hour = 3_600_000

let world: World
beforeEach(() => {
  world = startWorld()
})

const newId = () => uuidV7(startOfTime.getTime(), crypto.getRandomValues(new Uint8Array(10)))
const at = (ms: number) => new Date(startOfTime.getTime() + ms).toISOString()
let counter = 0
const change = (commitmentId: string, more: Partial<CommitmentChange>): CommitmentChange => ({
  id: newId(),
  commitmentId,
  at: at(0),
  counter: ++counter,
  ...more,
})
const made = (id: string, more: Partial<CommitmentChange> = {}) =>
  change(id, { text: 'Put my day rate up', day: '2026-06-19', ...more })

function phone(person = world.addMember({ tier: 'xl' })) {
  const call = world.signIn(person)
  const post = (body: object) => call('/api/members/commitments/sync', { body: { deviceId: 'phone-a', ...body } })
  return {
    person,
    call,
    post,
    sync: async (changes: readonly unknown[], more: object = {}): Promise<CommitmentSyncResponse> => {
      const response = await post({ memberId: person.id, changes, ...more })
      expect(response.status).toBe(200)
      return response.json()
    },
    ticks: async (version?: string): Promise<Response> =>
      call('/api/video-progress/sync', { body: { deviceId: 'phone-a', changes: [], version } }),
  }
}

describe('a phone’s changes', () => {
  test('make a commitment, and come back with a stamp for each field', async () => {
    const danny = phone()
    const id = newId()
    const { items, rejected } = await danny.sync([made(id)])
    expect(rejected).toEqual([])
    expect(items).toMatchObject([
      { id, madeBy: 'member', text: 'Put my day rate up', day: '2026-06-19', state: 'open', doneOn: null },
    ])
    expect(items[0]?.stamps.text).toMatchObject({ at: at(0), deviceId: 'phone-a' })
  })

  test('are applied once each: a repeat is acknowledged, whatever it holds this time', async () => {
    const danny = phone()
    const id = newId()
    const first = made(id)
    await danny.sync([first])
    const { items, rejected } = await danny.sync([{ ...first, text: 'Another', counter: 99 }])
    expect([items.map(({ text }) => text), rejected]).toEqual([['Put my day rate up'], []])
  })

  test('merge each field for itself: a new day on one phone and a tick on the other both hold', async () => {
    const danny = phone()
    const id = newId()
    await danny.sync([made(id)])
    const moved = change(id, { day: '2026-06-26', at: at(1000) })
    const ticked = change(id, { state: 'done', at: at(2000) })
    await danny.sync([ticked], { deviceId: 'phone-b' })
    const { items } = await danny.sync([moved])
    expect(items).toMatchObject([
      { day: '2026-06-26', state: 'done', doneOn: '2026-06-12', text: 'Put my day rate up' },
    ])
  })

  test('end the same in whatever order they arrive, from two phones', async () => {
    const id = newId()
    const all = [
      { device: 'phone-a', change: made(id) },
      { device: 'phone-b', change: made(id, { day: '2026-06-22', at: at(500) }) },
      { device: 'phone-a', change: change(id, { state: 'done', at: at(1000), counter: 50 }) },
      { device: 'phone-b', change: change(id, { state: 'dropped', at: at(1000), counter: 50 }) },
      { device: 'phone-b', change: change(id, { day: '2026-07-03', at: at(700) }) },
    ]
    const outcome = async (order: typeof all) => {
      const member = phone()
      // One that makes it comes first, as from any phone.
      const makers = order.filter((one) => one.change.text !== undefined)
      const others = order.filter((one) => one.change.text === undefined)
      for (const { device, change: sent } of [...makers, ...others]) {
        const own = { ...sent, commitmentId: `${sent.commitmentId.slice(0, -12)}${member.person.id.slice(-12)}` }
        await member.sync([own], { deviceId: device })
      }
      const [item] = (await member.sync([])).items
      return { text: item?.text, day: item?.day, state: item?.state, doneOn: item?.doneOn }
    }
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(all, { minLength: all.length }), async (order) => {
        expect(await outcome(order)).toEqual({
          text: 'Put my day rate up',
          day: '2026-07-03',
          state: 'done',
          doneOn: '2026-06-12',
        })
      }),
      { numRuns: 12 },
    )
  })

  test('are rejected one by one, and what is rejected may come again', async () => {
    const danny = phone()
    const [id, unknown] = [newId(), newId()]
    const long = made(newId(), { text: 'x'.repeat(201) })
    const { items, rejected } = await danny.sync([
      long,
      { nonsense: true },
      change(unknown, { state: 'done' }),
      made(id),
    ])
    expect(items.map((item) => item.id)).toEqual([id])
    expect(rejected.map(({ code }) => code)).toEqual(['malformed', 'malformed', 'not_found'])
    expect((await danny.sync([{ ...long, text: 'Short' }])).items).toHaveLength(2)
  })

  test.each(['', '   ', 'two\nlines', 'bell \u0007'])('hold no text like %j', async (text) => {
    expect((await phone().sync([made(newId(), { text })])).rejected).toHaveLength(1)
  })

  test('touch nobody else’s: the id of another’s is unknown, and nothing is told of it', async () => {
    const [danny, priya] = [phone(), phone()]
    const id = newId()
    await danny.sync([made(id)])
    const { items, rejected } = await priya.sync([change(id, { state: 'done' }), made(id)])
    expect([items, rejected.map(({ code }) => code)]).toEqual([[], ['not_found', 'not_found']])
    expect((await danny.sync([])).items).toMatchObject([{ state: 'open' }])
  })

  test('of another member’s queue are refused whole, and so are an owner’s who only looks', async () => {
    const danny = phone()
    const other = await danny.post({ memberId: newId(), changes: [made(newId())] })
    expect([other.status, (await other.json()).error.code]).toEqual([409, 'wrong_member'])
    const owner = world.signIn(world.addOwner())
    const begun = await owner(`/api/admin/impersonate/${danny.person.id}`, { body: {} })
    const cookie = begun.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ')
    const asDanny = (changes: unknown[]) =>
      world.call('/api/members/commitments/sync', {
        headers: { cookie: cookie || owner.cookie },
        body: { deviceId: 'desk', changes },
      })
    expect((await asDanny([made(newId())])).status).toBe(403)
  })

  test('beyond 500 a day wait until tomorrow, and none of that request is applied', async () => {
    const danny = phone()
    const id = newId()
    await danny.sync([made(id)])
    const many = (count: number) => Array.from({ length: count }, () => change(id, { day: '2026-06-20' }))
    for (const count of [200, 200, 99]) await danny.sync(many(count))
    const over = await danny.post({ changes: [change(id, { state: 'done' })] })
    expect([over.status, Number(over.headers.get('retry-after')) >= 60]).toEqual([429, true])
    expect((await danny.sync([])).items).toMatchObject([{ state: 'open' }])
    world.forward(24 * hour)
    expect((await danny.sync([change(id, { state: 'done', at: at(24 * hour) })])).items).toMatchObject([
      { state: 'done' },
    ])
  })

  test('keep where it came from: a video they may see, and a call of their own', async () => {
    const danny = phone()
    const [video] = world.addVideos().filter(({ tierAccess, isPublished }) => isPublished && tierAccess.includes('xl'))
    openCalendar(world)
    await danny.call('/api/calendar/calls', {
      body: { kind: 'coaching', coach: 'coach-1', startsAt: '2026-06-15T08:00:00.000Z' },
    })
    const [call] = (await (await danny.call('/api/calendar/mine')).json()).calls
    const [fromVideo, fromCall, strange] = [newId(), newId(), newId()]
    const { items } = await danny.sync([
      made(fromVideo, { videoId: video?.id }),
      made(fromCall, { callId: call.id }),
      made(strange, { videoId: 'gone', callId: newId() }),
    ])
    const found = new Map(items.map((item) => [item.id, item]))
    expect(found.get(fromVideo)?.video).toMatchObject({ id: video?.id })
    expect(found.get(fromCall)?.call).toEqual({ id: call.id, startsAt: '2026-06-15T08:00:00.000Z' })
    expect(found.get(strange)).toMatchObject({ video: null, call: null })
  })
})

describe('what’s new', () => {
  test('is told by the ticks’ answer, and a phone that has it gets 204 from both', async () => {
    const danny = phone()
    const before: SyncResponse = await (await danny.ticks()).json()
    expect(before.commitments).toBeUndefined()
    expect((await danny.ticks(before.version)).status).toBe(204)
    const { version } = await danny.sync([made(newId())])
    const told = await danny.ticks(before.version)
    const after: SyncResponse = await told.json()
    expect([told.status, after.commitments]).toEqual([200, version])
    expect((await danny.ticks(after.version)).status).toBe(204)
    const again = await danny.post({ changes: [], version })
    expect([again.status, again.headers.get('server-time')]).toEqual([204, at(0)])
  })
})

describe('the share that was kept', () => {
  test('of the commitments that were due, counts those done by their day', async () => {
    const danny = phone()
    const [kept, missed, dropped] = [newId(), newId(), newId()]
    const day = '2026-06-13'
    await danny.sync([
      made(kept, { day }),
      made(missed, { day }),
      made(dropped, { day }),
      made(newId(), { day: '2026-06-30' }),
    ])
    await danny.sync([change(kept, { state: 'done', at: at(1) }), change(dropped, { state: 'dropped', at: at(1) })])
    world.forward(48 * hour)
    const owner = world.signIn(world.addOwner())
    const months = async () => {
      const read: MemberCommitments = await (await owner(`/api/admin/members/${danny.person.id}/commitments`)).json()
      return read.months
    }
    expect(await months()).toEqual([{ month: '2026-06', due: 2, kept: 1 }])
    await danny.sync([change(missed, { state: 'done', at: at(48 * hour) })])
    expect(await months()).toEqual([{ month: '2026-06', due: 2, kept: 1 }])
  })
})

describe('an owner', () => {
  const propose = (owner: World['call'], memberId: string, body: object) =>
    owner(`/api/admin/members/${memberId}/commitments`, { body })

  test('suggests one; it counts once the member says yes, and twice pressed is once there', async () => {
    const danny = phone()
    const owner = world.signIn(world.addOwner())
    const body = { id: newId(), text: 'Ring three builders', day: '2026-06-19' }
    for (const _ of [1, 2]) expect((await propose(owner, danny.person.id, body)).status).toBe(200)
    const { items } = await danny.sync([])
    expect(items).toMatchObject([{ id: body.id, madeBy: 'coach', state: 'proposed' }])
    await danny.sync([change(body.id, { state: 'open', at: at(1) })])
    const record: MemberCommitments = await (await owner(`/api/admin/members/${danny.person.id}/commitments`)).json()
    expect(record.commitments).toMatchObject([{ id: body.id, state: 'open' }])
    const log = world.ctx.sqlite
      .prepare(`select detail from audit_entries where action = 'commitment.proposed'`)
      .pluck()
    expect(log.all()).toEqual(['{"day":"2026-06-19"}'])
  })

  test('and the member make one from the same line of a call, in whichever order they press it', async () => {
    openCalendar(world)
    const danny = phone()
    const owner = world.signIn(world.addOwner())
    await danny.call('/api/calendar/calls', {
      body: { kind: 'coaching', coach: 'coach-1', startsAt: '2026-06-15T08:00:00.000Z' },
    })
    const [call] = (await (await danny.call('/api/calendar/mine')).json()).calls
    const lines = ['Day rate up by Friday', 'Ring three builders']
    const [first = '', second = ''] = lines.map((line) => idOfLine(call, line))
    const body = (id: string, text: string) => ({ id, text, day: '2026-06-19', callId: call.id })
    await propose(owner, danny.person.id, body(first, lines[0] ?? ''))
    await danny.sync([made(first, { text: lines[0] ?? '', callId: call.id }), made(second, { text: lines[1] ?? '' })])
    await propose(owner, danny.person.id, body(second, lines[1] ?? ''))
    const { items } = await danny.sync([])
    expect(items.map(({ id, state, madeBy }) => [id, state, madeBy]).toSorted()).toEqual(
      [
        [first, 'open', 'coach'],
        [second, 'open', 'member'],
      ].toSorted(),
    )
  })

  test('suggests nothing for a day that has passed, of another member’s call, under another’s id, or to nobody', async () => {
    const [danny, priya] = [phone(), phone()]
    const owner = world.signIn(world.addOwner())
    const id = newId()
    await danny.sync([made(id)])
    const body = { id, text: 'Ring three builders', day: '2026-06-19' }
    expect((await propose(owner, priya.person.id, body)).status).toBe(409)
    const past = await propose(owner, priya.person.id, { ...body, id: newId(), day: '2026-06-11' })
    expect(await readError(past)).toMatchObject({ status: 422, fields: { day: expect.stringContaining('passed') } })
    expect((await propose(owner, priya.person.id, { ...body, id: newId(), day: '2026-06-12' })).status).toBe(200)
    expect((await propose(owner, priya.person.id, { ...body, id: newId(), callId: newId() })).status).toBe(404)
    expect((await propose(owner, newId(), { ...body, id: newId() })).status).toBe(404)
    expect((await propose(danny.call, danny.person.id, { ...body, id: newId() })).status).toBe(403)
  })

  test('lists the open ones of all, by the week, what is late, and page by page', async () => {
    const [danny, priya] = [phone(), phone(world.addMember({ tier: 'lite', firstName: 'Priya', lastName: 'Shah' }))]
    const days = ['2026-06-05', '2026-06-08', '2026-06-14', '2026-06-15']
    await danny.sync(days.map((day) => made(newId(), { day, text: `Danny ${day}` })))
    const done = newId()
    await priya.sync([
      made(newId(), { day: '2026-06-12', text: 'Priya' }),
      made(done),
      change(done, { state: 'done', at: at(1) }),
    ])
    const owner = world.signIn(world.addOwner())
    const list = async (query: string) => {
      const response = await owner(`/api/admin/commitments${query}`)
      const rows: { text: string; member: { name: string; tier: string } }[] = await response.json()
      return { rows, total: response.headers.get('x-total-count'), link: response.headers.get('link') }
    }
    const texts = async (query: string) => (await list(query)).rows.map(({ text }) => text)
    const account = (slugs: string) =>
      world.ctx.sqlite.exec(`update membership_tiers set hasWeeklyAccountability = slug in (${slugs})`)
    account(`'xl'`)
    // As the Monday mail has it.
    expect(await texts('?due=week')).toEqual(['Danny 2026-06-08', 'Danny 2026-06-14'])
    expect((await list('?due=week')).total).toBe('2')
    account(`'lite', 'xl'`)
    expect(await texts('?due=week')).toEqual(['Danny 2026-06-08', 'Priya', 'Danny 2026-06-14'])
    expect(await texts('?due=late')).toEqual(['Danny 2026-06-05'])
    const { rows, total, link } = await list('?limit=2')
    expect([rows.length, total]).toEqual([2, '5'])
    const rest = /<([^>]+)>/.exec(link ?? '')?.[1] ?? ''
    expect((await (await owner(`${rest.replace('limit=2', 'limit=9')}`)).json()).length).toBe(3)
    expect((await list('?due=week')).rows[1]?.member).toMatchObject({ name: 'Priya Shah', tier: 'Alliance Lite' })
  })
})
