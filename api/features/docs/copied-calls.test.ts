// @module-tag full
import { afterAll, beforeAll, expect, test } from 'vitest'
import { issueApiToken } from '#api/features/accounts/login/session-service.ts'
import { startWorld, type World } from '#api/testing/world.ts'

let world: World
let page: string
beforeAll(async () => {
  world = startWorld()
  page = await (await world.call('/api/docs')).text()
  world.wholeApp().listen({ port: 0, hostname: '127.0.0.1', development: false })
})
afterAll(() => world.wholeApp().server?.stop(true))

const entities: Record<string, string> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#x27;': "'",
  '&amp;': '&',
}

/** What someone copies from the page, for the server here. */
function copied(id: string): string {
  const call = page.split(`id="${id}"`)[1]?.split('<pre class="whole">')[1]?.split('</pre>')[0] ?? ''
  const { port } = world.wholeApp().server ?? {}
  return call
    .replace(/&(lt|gt|quot|amp|#39|#x27);/g, (entity) => entities[entity] ?? entity)
    .replace(world.ctx.settings.publicUrl, `http://127.0.0.1:${port}`)
}

test.each([
  ['get-api-blog', 200],
  ['post-api-contact', 200],
  ['post-api-auth-login', 401],
  ['get-api-auth-user', 200],
  ['get-api-admin-members', 200],
  ['post-api-admin-announcements', 200],
  ['put-api-admin-content-page-draft', 200],
  // An example's price is no tier's.
  ['post-api-admin-invitations-preview', 409],
  ['get-api-admin-members-memberid-record', 404],
  ['post-api-admin-members-memberid-refund', 403],
  ['get-api-admin-vat-quarter', 200],
] as const)('%s runs in a shell as the page has it', async (id, status) => {
  const { token } = issueApiToken(world.ctx, world.addOwner().id, 'Books')
  const shell = Bun.spawn(['sh', '-c', `${copied(id)} \\\n  -s -w '\\n%{http_code}'`], {
    env: { ...process.env, TOKEN: token },
  })
  const said = await new Response(shell.stdout).text()
  expect([said, said.split('\n').at(-1)]).toEqual([said, String(status)])
})
