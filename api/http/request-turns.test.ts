import { setImmediate as nextRound } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startWorld } from '#api/testing/world.ts'
import { readJsonBody } from './request-body.ts'
import { answerAll, type Respond, respondInTurns } from './request-turns.ts'
import { streamedResponse } from './streamed-response.ts'

const { ctx } = startWorld({ env: { TRUSTED_PROXIES: '127.0.0.1' } })

const turnsOf = (respond: Respond) => respondInTurns(ctx, () => null, respond)

const requestFrom = (address: string, init: RequestInit = {}) =>
  new Request('http://localhost/api/health', { ...init, headers: { 'x-forwarded-for': address } })

/** Keeps `connections` busy with requests on connections of their own, until each has sent `each`. */
async function flood(port: number, { connections, each }: { connections: number; each: number }): Promise<void> {
  const sender = `await Promise.all(Array.from({ length: ${connections} }, async () => {
    for (let sent = 0; sent < ${each}; sent += 1) await (await fetch('http://127.0.0.1:${port}', { keepalive: false })).text()
  }))`
  const child = Bun.spawn([process.execPath, '-e', sender], { stdio: ['ignore', 'ignore', 'inherit'] })
  expect(await child.exited).toBe(0)
}

test('however many connections come, the event loop goes round between a few requests', async () => {
  let begun = 0
  let most = 0
  const respond = turnsOf(() => {
    const until = performance.now() + 3
    while (performance.now() < until);
    begun += 1
    return new Response('ok')
  })
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: respond })
  let isOver = false
  const counted = (async () => {
    while (!isOver) {
      most = Math.max(most, begun)
      begun = 0
      await nextRound()
    }
  })()
  await flood(server.port ?? 0, { connections: 100, each: 3 })
  isOver = true
  await counted
  await server.stop(true)
  expect(most).toBeLessThan(20)
})

/** A handler that is let go by hand. */
function openHandlers() {
  const waiting: (() => void)[] = []
  const respond = turnsOf(async () => {
    await new Promise<void>((resolve) => waiting.push(resolve))
    return new Response('ok')
  })
  const begun = async (count: number) => {
    while (waiting.length < count) await nextRound()
  }
  return { respond, begun, letGo: () => waiting.splice(0).map((resolve) => resolve()) }
}

test('beyond 200 unanswered requests the next one is told to come back, and each answer makes a place', async () => {
  const { respond, begun, letGo } = openHandlers()
  const first = Array.from({ length: 200 }, () => respond(requestFrom('10.0.0.1')))
  await begun(200)
  const refused = await respond(requestFrom('10.0.0.2'))
  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).toBe('5')
  expect(await refused.json()).toEqual({ error: { code: 'busy', message: 'We’re busy. Try again in a few seconds.' } })
  letGo()
  for (const response of await Promise.all(first)) expect(response.status).toBe(200)
  const next = respond(requestFrom('10.0.0.2'))
  await begun(1)
  letGo()
  expect((await next).status).toBe(200)
})

test('when all places are taken, the network with most in line gives way to another', async () => {
  let workMs = 9
  const respond = turnsOf((request) => {
    const until = performance.now() + workMs
    while (performance.now() < until);
    // Only the first takes so long that the others wait.
    workMs = 0
    return new Response(request.headers.get('x-forwarded-for'))
  })
  const crowd = Array.from({ length: 230 }, () => respond(requestFrom('10.0.0.1')))
  const other = respond(requestFrom('10.0.0.2'))
  let answeredBefore = 0
  for (const one of crowd) Promise.resolve(one).then(({ status }) => (answeredBefore += status === 200 ? 1 : 0))
  expect(await (await other).text()).toBe('10.0.0.2')
  // The other network had its turn with the crowd's next, not behind all of it.
  expect(answeredBefore).toBeLessThan(20)
  const statuses = (await Promise.all(crowd)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 503)).toHaveLength(31)
})

test('behind a crowd from as many networks, who comes last has a turn soon, and all of the crowd have theirs', async () => {
  let workMs = 9
  const respond = turnsOf((request) => {
    const until = performance.now() + workMs
    while (performance.now() < until);
    // Only the first takes so long that the others wait.
    workMs = 0
    return new Response(request.headers.get('x-forwarded-for'))
  })
  const crowd = Array.from({ length: 190 }, (_, index) => respond(requestFrom(`10.1.0.${index}`)))
  const last = respond(requestFrom('10.0.0.2'))
  let answeredBefore = 0
  for (const one of crowd) Promise.resolve(one).then(() => (answeredBefore += 1))
  expect(await (await last).text()).toBe('10.0.0.2')
  expect(answeredBefore).toBeLessThan(20)
  for (const response of await Promise.all(crowd)) expect(response.status).toBe(200)
})

test('a body on its way takes no place', async () => {
  let begun = 0
  const respond = turnsOf(async (request) => {
    begun += 1
    return Response.json(await readJsonBody(request))
  })
  const bodies: ReadableStreamDefaultController<Uint8Array>[] = []
  const slow: (Response | Promise<Response>)[] = []
  while (slow.length < 250) {
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void bodies.push(controller) })
    slow.push(respond(requestFrom('10.0.0.1', { method: 'POST', body })))
    // All in one moment they'd be a crowd, of which some are turned away.
    while (begun < slow.length) await nextRound()
  }
  const quick = await respond(requestFrom('10.0.0.1', { method: 'POST', body: '{"quick":true}' }))
  expect([quick.status, await quick.json()]).toEqual([200, { quick: true }])
  for (const controller of bodies) {
    controller.enqueue(new TextEncoder().encode('{}'))
    controller.close()
  }
  for (const response of await Promise.all(slow)) expect(response.status).toBe(200)
})

test('when the bodies of one network arrive together, another network’s next request is answered, with a body or without', {
  tags: ['full'],
}, async () => {
  let [begun, handled] = [0, 0]
  const respond = turnsOf(async (request) => {
    begun += 1
    if (request.method === 'POST') await readJsonBody(request)
    const until = performance.now() + 1
    while (performance.now() < until);
    handled += 1
    return Response.json(handled)
  })
  const bodies: ReadableStreamDefaultController<Uint8Array>[] = []
  const crowd: (Response | Promise<Response>)[] = []
  for (let sent = 1; sent <= 1_500; sent += 1) {
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void bodies.push(controller) })
    crowd.push(respond(requestFrom('10.0.0.1', { method: 'POST', body })))
    while (sent % 100 === 0 && begun < sent) await nextRound()
  }
  for (const controller of bodies) {
    controller.enqueue(new TextEncoder().encode('{}'))
    controller.close()
  }
  await nextRound()
  const others = [{}, { method: 'POST', body: '{}' }].map((init) => respond(requestFrom('10.0.0.2', init)))
  for (const response of await Promise.all(others)) {
    expect(response.status).toBe(200)
    // At most the requests that already had a place, and one round, come first: not the other 1,300.
    expect(await response.json()).toBeLessThan(220)
  }
  for (const response of await Promise.all(crowd)) expect(response.status).toBe(200)
})

test('a body that arrives while all places are taken is answered, though nobody comes after it', {
  timeout: 10_000,
}, async () => {
  const letGo: (() => void)[] = []
  const respond = turnsOf(async (request) => {
    if (request.method === 'POST') return Response.json(await readJsonBody(request))
    await new Promise<void>((resolve) => letGo.push(resolve))
    return new Response('ok')
  })
  const bodies: ReadableStreamDefaultController<Uint8Array>[] = []
  const body = new ReadableStream<Uint8Array>({ start: (controller) => void bodies.push(controller) })
  const posted = respond(requestFrom('10.0.0.2', { method: 'POST', body }))
  await nextRound()
  const others = Array.from({ length: 200 }, () => respond(requestFrom('10.0.0.1')))
  while (letGo.length < others.length) await nextRound()
  await nextRound()
  for (const controller of bodies) {
    controller.enqueue(new TextEncoder().encode('{}'))
    controller.close()
  }
  expect((await posted).status).toBe(200)
  for (const resolve of letGo) resolve()
  await Promise.all(others)
})

/** A file that's longer than what's read before it begins. */
function longFile() {
  const pieces = Array.from({ length: 5 }, () => 'x'.repeat(50_000)).values()
  return turnsOf(() => streamedResponse(ctx, { headers: {} }, { pieces, headers: {} }))(requestFrom('10.0.0.1'))
}

test('a file that’s read from the database is sent before the next server may have it', async () => {
  const response = await longFile()
  const answered = answerAll(ctx).then(() => 'answered')
  const sent = response.text().then((text) => text.length)
  expect(await Promise.race([answered, sent])).toBe(250_000)
  await answered
})

test('one that’s read slowly breaks off after a moment, so that nobody waits for it', async () => {
  const response = await longFile()
  await answerAll(ctx)
  await expect(response.text()).rejects.toThrow('busy')
})
