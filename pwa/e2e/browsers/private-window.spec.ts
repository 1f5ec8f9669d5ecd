import { giveVideoFiles, largeVideoFile } from '../shelf-steps.ts'
import { logIn, openList, test } from './fixtures.ts'
import { kept } from './ticks.ts'

const email = 'standard@alliance.test'
const title = 'Deposits and stage payments'
const userAgent =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1'

test('MEMB-03 MEMB-10 an iPhone’s private window plays, ticks and shows the way to the Home Screen; once closed, it has kept nothing', {
  // With an iPhone's user agent it still isn't one.
  tag: '@not-in-chromium',
}, async ({ open, site }) => {
  await giveVideoFiles(site.url, [largeVideoFile(title, 1)])
  const phone = await open({ isPrivate: true, userAgent })
  await logIn(phone, email)
  await openList(phone)
  await phone.press('button', 'Mark Complete', { near: title })
  await phone.sees('status', /^Your ticks are saved/)
  await kept(site, email, [title])
  await phone.goto('/members/videos/deposits-and-stage-payments')
  await phone.press('button', 'Play')
  await phone.readUntil(() => (document.querySelector('video')?.currentTime ?? 0) > 0)
  await phone.goto('/members/storage')
  await phone.sees('heading', 'Saved on this phone')
  await phone.press('button', 'Show me how')
  await phone.sees('dialog', 'Add us to your home screen')
  await phone.sees('listitem', /^Leave Open as Web App on/)
  await phone.press('button', 'Done')
  await phone.notSees('dialog')
  await phone.close()
  await phone.open()
  await phone.goto('/members')
  await phone.readUntil(() => location.pathname === '/login')
})
