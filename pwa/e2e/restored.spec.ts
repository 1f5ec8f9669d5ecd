import { expect, phone, test, withServiceWorker } from './fixtures.ts'
import { openList, progressByTitle, rowOf, syncLine, tick } from './members-steps.ts'
import { startOwnServer } from './own-server.ts'
import { logInOverHttp } from './people.ts'
import { allianceIn } from './terminal.ts'

test.use({ ...phone, ...withServiceWorker })

const [before, after] = ['Where the business is now', 'The year on one page']

test('PROG-01 MEMB-18 a tick made after the backup is there once when the site goes back to it', {
  tag: '@full',
}, async ({ browser }) => {
  const server = await startOwnServer()
  const alliance = async (...args: string[]) => {
    const { code, stdout, stderr } = await allianceIn(server.env, args)
    expect([code, stderr]).toEqual([0, expect.any(String)])
    return stdout
  }
  try {
    const context = await browser.newContext({ ...phone, baseURL: server.url })
    await logInOverHttp(context.request, 'lite@alliance.test')
    const page = await context.newPage()
    await openList(page)
    await tick(page, before)
    await expect(syncLine(page)).toContainText('Your ticks are saved')
    const { file } = JSON.parse(await alliance('backup', 'create', '--json')) as { file: string }
    await tick(page, after)
    await expect.poll(() => progressByTitle(context.request)).toMatchObject({ [after]: true })
    await expect(syncLine(page)).toContainText('Your ticks are saved')
    await server.restart(() => alliance('backup', 'restore', file, '--yes'))
    expect((await progressByTitle(context.request))[after]).toBeUndefined()
    await openList(page)
    await expect.poll(() => progressByTitle(context.request)).toMatchObject({ [before]: true, [after]: true })
    await expect(rowOf(page, after)).toContainText('Completed')
    await expect(syncLine(page)).toContainText('Your ticks are saved')
  } finally {
    await server.stop()
  }
})
