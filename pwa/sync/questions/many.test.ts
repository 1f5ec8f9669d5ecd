import { expect, test } from 'vitest'
import { photoOf, webmOf } from '#api/testing/question-files.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Asked, askThroughFaults, createDice } from '#pwa/sync/testing/asking-phone.ts'
import { storedContent, storedFiles, storedTexts } from '#pwa/sync/testing/questions.ts'

// `npm run prove` does it with a thousand, and a server that's killed.
const members = process.env.FULL ? 12 : 2
const questionsEach = process.env.FULL ? 5 : 3

/** The line breaks in the middle of a piece. */
const cutOff = ({ handle }: World) =>
  async function cut(path: string, { headers, body }: RequestInit, cookie: string): Promise<void> {
    const piece = new Uint8Array(await new Response(body ?? null).arrayBuffer())
    const half = new ReadableStream({
      start: (stream) => stream.enqueue(piece.subarray(0, piece.length / 2)),
      pull: (stream) => stream.error(new Error('The line is gone.')),
    })
    const sent = new Headers(headers)
    sent.set('cookie', cookie)
    const request = new Request(`http://localhost${path}`, { method: 'PATCH', headers: sent, body: half })
    await handle(request).catch(() => {})
  }

test('questions of many members, with photos and voice, made without signal under killed tabs, lost answers, cut pieces and second tabs, are on the server once each, with every byte, and no tick waits for more than a piece', {
  tags: ['full'],
  timeout: 600_000,
}, async () => {
  const world = startWorld()
  const videoIds = world
    .addVideos()
    .filter(({ isPublished, tierAccess }) => isPublished && tierAccess.includes('standard'))
    .map(({ id }) => id)
  const photo = new Blob([new Uint8Array(await photoOf(320, 240))], { type: 'image/jpeg' })
  const made: Asked[] = []
  for (let index = 0; index < members; index++) {
    const member = world.addMember({ email: `m${index}@example.com`, tier: 'standard' })
    const dice = createDice(index + 1)
    const asked = Array.from({ length: questionsEach }, (_, count) => ({
      text: `${index}-${count}`,
      photos: [photo],
      voice: new Uint8Array(webmOf(100 + dice(15))),
    }))
    made.push(...asked)
    const { cookie } = world.signIn(member)
    const asker = { world, member: { id: member.id, cookie }, asked, videoIds, dice, cut: cutOff(world) }
    const { wrong, longestWait } = await askThroughFaults(asker)
    expect([wrong, longestWait <= 1]).toEqual([[], true])
  }
  expect(storedTexts(world).sort()).toEqual(made.map(({ text }) => text).sort())
  const recordings = new Set(made.map(({ voice }) => sha256(voice)))
  const files = storedFiles(world)
  expect(files).toHaveLength(made.length * 2)
  let compared = 0
  for (const { id, sha256: announced, isReady } of files) {
    expect(isReady).toBe(1)
    const content = recordings.has(announced) ? storedContent(world, id) : undefined
    if (!content) continue
    expect(sha256(content)).toBe(announced)
    compared += 1
  }
  expect(compared).toBe(made.length)
  world.ctx.sqlite.close()
})

const sha256 = (bytes: Uint8Array | null) => new Bun.CryptoHasher('sha256').update(bytes ?? '').digest('hex')
