import { expect, test } from 'vitest'
import { photoOf, webmOf } from '#api/testing/question-files.ts'
import { startWorld } from '#api/testing/world.ts'
import { createKillable } from '#pwa/sync/testing/killable.ts'
import type { Delivery } from '#pwa/sync/testing/network.ts'
import { createPhone } from '#pwa/sync/testing/phone.ts'
import { chunksOf, storedContent, storedFiles, storedTexts, withQuestions, write } from '#pwa/sync/testing/questions.ts'

const members = process.env.FULL ? 12 : 2
const questionsEach = process.env.FULL ? 5 : 3

/** Always the same sequence, so that a failure can be looked at again. */
function createDice(seed: number) {
  let state = seed
  return (sides: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * sides)
  }
}

const faults: readonly Delivery[] = ['lose-response', 'lose-request', 'twice', 'delay']

test('questions of many members, with photos and voice, made without signal under killed tabs, lost answers, cut pieces and second tabs, are on the server once each, with every byte, and no tick waits for more than a piece', {
  tags: ['full'],
  timeout: 600_000,
}, async () => {
  const world = startWorld()
  const videos = world
    .addVideos()
    .filter(({ isPublished, tierAccess }) => isPublished && tierAccess.includes('standard'))
  const photo = new Blob([new Uint8Array(await photoOf(320, 240))], { type: 'image/jpeg' })
  const made: string[] = []
  const recordings = new Set<string>()
  let longestWait = 0
  let compared = 0
  for (let index = 0; index < members; index++) {
    const member = world.addMember({ email: `m${index}@example.com`, tier: 'standard' })
    const phone = createPhone(world)
    const dice = createDice(index + 1)
    phone.cookie = world.signIn(member).cookie
    phone.isOnline = false
    const writer = withQuestions(await phone.openTab(member.id))
    for (let count = 0; count < questionsEach; count++) {
      const text = `${index}-${count}`
      const spoken = new Uint8Array(webmOf(100 + dice(15)))
      recordings.add(new Bun.CryptoHasher('sha256').update(spoken).digest('hex'))
      await write(writer, `draft-${count}`, { text, photos: [photo], voice: chunksOf(spoken, 16_000) })
      expect(await writer.questions.ask(`draft-${count}`)).toMatchObject({ kind: 'kept' })
      made.push(text)
    }
    writer.close()
    phone.isOnline = true
    const { fetch } = phone.network
    let pieces = 0
    let piecesSinceTick: number | null = null
    phone.platform.fetch = async (path, init) => {
      const isPiece = init.method === 'PATCH'
      if (isPiece) pieces += 1
      if (isPiece && piecesSinceTick !== null) piecesSinceTick += 1
      if (path === '/api/video-progress/sync') piecesSinceTick = null
      if (isPiece && pieces % 10 === 0) phone.network.next('lose-response')
      else if (dice(6) === 0) phone.network.next(faults[dice(faults.length)] ?? 'deliver')
      longestWait = Math.max(longestWait, piecesSinceTick ?? 0)
      return fetch(path, init)
    }
    for (let life = 0; life < 4; life++) {
      const killable = createKillable(phone.platform, phone.idb)
      const tab = withQuestions(await phone.openTab(member.id, killable.platform))
      const other = dice(2) === 0 ? withQuestions(await phone.openTab(member.id)) : null
      killable.killAfter(40 + dice(200))
      const ticked = tab.tick(videos[life % videos.length]?.id ?? '', true).then(
        () => {
          piecesSinceTick ??= 0
        },
        () => {},
      )
      const runs = [ticked, tab.questions.syncNow(), other?.questions.syncNow()]
      await Promise.race([Promise.allSettled(runs), killable.gone])
      killable.kill()
      phone.freeLocks()
      other?.close()
      piecesSinceTick = null
      phone.wait(400_000)
    }
    phone.platform.fetch = fetch
    phone.network.usual = 'deliver'
    while (phone.network.delayed.length > 0) await phone.network.delayed.shift()?.()
    const last = withQuestions(await phone.openTab(member.id))
    while ((await last.questions.syncNow()) !== 'done') phone.wait(400_000)
    expect(await last.questions.readUnsent()).toEqual([])
    last.close()
    expect(phone.faults).toEqual([])
  }
  expect(storedTexts(world).sort()).toEqual(made.sort())
  const files = storedFiles(world)
  expect(files).toHaveLength(made.length * 2)
  for (const { id, sha256, isReady } of files) {
    expect(isReady).toBe(1)
    const content = recordings.has(sha256) ? storedContent(world, id) : undefined
    if (!content) continue
    expect(new Bun.CryptoHasher('sha256').update(content).digest('hex')).toBe(sha256)
    compared += 1
  }
  expect([compared, longestWait <= 1]).toEqual([made.length, true])
  world.ctx.sqlite.close()
})
