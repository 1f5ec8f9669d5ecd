import { expect, test } from 'vitest'
import { renderPage } from '#pwa/testing/rendered-page.ts'

test.each([
  ['CALL-07 the form to book a call', '/book-coaching-call', 'preferredTimes'],
  ['CAPP-07 the coaching application', '/coaching-application', 'timeCommitment'],
])('%s is at its address', async (_what, path, field) => {
  const { html } = await renderPage(path)
  expect(html).toMatch(/<form/)
  expect(html).toContain(`name="${field}"`)
})
