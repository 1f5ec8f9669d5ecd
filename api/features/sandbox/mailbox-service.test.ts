import { expect, test } from 'vitest'
import { renderMailbox } from './mailbox-service.ts'

const mail = {
  to: 'sam@example.com',
  subject: 'Tea & <b>biscuits</b>',
  text: 'Open this:\nhttps://alliance.example/a?b=1&c=2\n<script>alert(1)</script> "http://x.example" javascript:alert(1)',
  html: '<script>never shown</script>',
  attachment: '/api/billing/invoices/1/pdf',
  at: '2026-06-12T07:40:00.000Z',
}

test('shows text with links that can be clicked, and nothing that runs', () => {
  const page = renderMailbox([mail])
  expect(page).toContain('<a href="https://alliance.example/a?b=1&amp;c=2" rel="noreferrer">')
  expect(page).toContain('&quot;<a href="http://x.example" rel="noreferrer">http://x.example</a>&quot;')
  expect(page).toContain('Attached: <a href="/api/billing/invoices/1/pdf">')
  expect(page).toContain('Tea &amp; &lt;b&gt;biscuits&lt;/b&gt;')
  expect(page).not.toMatch(/<script|href="javascript|style=|never shown/)
})

test('says when there are no mails', () => {
  expect(renderMailbox([])).toContain('No mail yet.')
})
