import { logIn, test } from './fixtures.ts'
import { ticked } from './ticks.ts'

const title = 'The year on one page'

/** In `npm test`. Where all cases run, others hold more of the same. */
test('MEMB-01 logs in, leaves the list and comes back, ticks without the server, and it’s sent', {
  tag: '@every-day',
}, async ({ open, site }) => {
  const phone = await open()
  await logIn(phone, 'standard@alliance.test')
  await phone.sees('heading', 'Strategy')
  await phone.sees('status', /Your ticks are saved/)
  await phone.goto('/members/calls')
  await phone.sees('heading', /calls/i)
  await phone.back()
  await phone.sees('heading', 'Strategy')
  await site.loseServer()
  await phone.press('button', 'Mark Complete', { near: title })
  await phone.sees('button', 'Mark Incomplete', { near: title })
  await phone.sees('status', /1 /)
  await site.restore()
  await phone.pressUnless({ kind: 'status', name: /^Your ticks are saved/ }, 'button', 'Send now')
  await phone.sees('status', /Your ticks are saved/)
  await ticked(site, [title])
})
