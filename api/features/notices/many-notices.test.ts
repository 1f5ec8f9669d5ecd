import { expect, test } from 'vitest'
import { transact } from '#api/db/open.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { decryptPush, newReceiver, type Receiver } from '#api/push/decrypt.ts'
import { sandboxPushPath } from '#api/push/hosts.ts'
import { type Call, startWorld, type World } from '#api/testing/world.ts'
import { tellMember } from './notice-service.ts'

const minute = 60_000

/** What a phone's push service does with its messages. `lost`: it takes them, and no worker ever runs. */
type Kind = 'fine' | 'slow' | 'expired' | 'failing' | 'refusing' | 'lost' | 'logged-out'
const kinds: readonly Kind[] = ['fine', 'fine', 'fine', 'slow', 'expired', 'failing', 'refusing', 'lost', 'logged-out']

type Phone = Receiver & { kind: Kind; as: Call; userId: string; shown: string[] }

/** Push services and workers together: each message is read with the phone's own keys, and confirmed as a worker does it. */
function startPhones() {
  const phones = new Map<string, Phone>()
  const receive = async (phone: Phone, body: Uint8Array) => {
    if (phone.kind === 'expired') return new Response(null, { status: 410 })
    if (phone.kind === 'failing') return new Response(null, { status: 500 })
    if (phone.kind === 'refusing') return new Response('BadJwtToken', { status: 403 })
    if (phone.kind === 'slow') await Bun.sleep(50)
    const { notification } = JSON.parse(decryptPush(phone, body))
    phone.shown.push(notification.data.id)
    if (phone.kind !== 'lost') await phone.as('/api/notices/receipts', { body: { id: notification.data.id } })
    return new Response(null, { status: 201 })
  }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const phone = phones.get(request.url.split('/').at(-1) ?? '')
      return phone ? receive(phone, await request.bytes()) : new Response(null, { status: 404 })
    },
  })
  return { phones, port: server.port ?? 0, stop: () => server.stop(true) }
}

async function addPhones(world: World, { phones, port }: ReturnType<typeof startPhones>, count: number) {
  for (let at = 0; at < count; at += 1) {
    const member = world.addMember({ email: `member-${at}@example.com` })
    const as = world.signIn(member)
    const { keys, ...receiver } = newReceiver()
    const endpoint = `http://127.0.0.1:${port}${sandboxPushPath}/${at}`
    const kind = kinds[at % kinds.length] ?? 'fine'
    phones.set(String(at), { ...receiver, kind, as, userId: member.id, shown: [] })
    await as('/api/members/notices/phone', { method: 'PUT', body: { endpoint, keys } })
    await as('/api/members/notices/choices', { method: 'PUT', body: { kind: 'answer', byPush: true } })
  }
}

async function tellAll(count: number): Promise<void> {
  const all = startPhones()
  try {
    const world = startWorld({ env: { PORT: String(all.port), PUBLIC_URL: 'https://alliance.example' } })
    await addPhones(world, all, count)
    transact(world.ctx, () => {
      for (const { userId } of all.phones.values())
        tellMember(world.ctx, {
          cause: `answer:${userId}`,
          userId,
          kind: 'answer',
          path: '/members/questions/1',
          mail: { subject: 'Answered', heading: 'Answered', blocks: [] },
        })
    })
    for (const { kind, as } of all.phones.values())
      if (kind === 'logged-out') await as('/api/auth/logout', { method: 'POST' })
    // For as long as a failing service is tried again.
    for (let runs = 0; runs < Math.max(8, count / 200); runs += 1) {
      await runJob(world.ctx, 'notices')
      world.forward(runs < 4 ? 5_000 : 5 * minute)
    }
    const mailed = new Map(
      world.ctx.sqlite
        .prepare<[], { userId: string; mails: number }>(
          `select userId, count(*) as mails from mail_outbox where cause like 'answer:%' group by userId`,
        )
        .all()
        .map(({ userId, mails }) => [userId, mails]),
    )
    const told = [...all.phones.values()].map(({ kind, shown, userId }) => ({
      kind,
      shown: shown.length,
      mails: mailed.get(userId) ?? 0,
    }))
    const expected = {
      fine: { shown: 1, mails: 0 },
      slow: { shown: 1, mails: 0 },
      expired: { shown: 0, mails: 1 },
      failing: { shown: 0, mails: 1 },
      refusing: { shown: 0, mails: 1 },
      lost: { shown: 1, mails: 1 },
      'logged-out': { shown: 0, mails: 1 },
    }
    expect(told.filter(({ kind, ...got }) => JSON.stringify(got) !== JSON.stringify(expected[kind]))).toEqual([])
  } finally {
    all.stop()
  }
}

test('each of many notices is confirmed or mailed, none twice, and none after a logout', () => tellAll(90))

test('so is each of ten thousand', { tags: ['full'], timeout: 600_000 }, () => tellAll(10_000))
