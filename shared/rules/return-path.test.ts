import { describe, expect, test } from 'vitest'
import { isServerPage, returnPath } from './return-path.ts'

describe('AUTH-2 the page after logging in', () => {
  test.each([
    ['/members?tab=billing', '/members?tab=billing'],
    ['/membership-application#pay', '/membership-application#pay'],
    ['/', '/'],
    ['/admin?tab=members', '/admin?tab=members'],
    ['/api/billing/invoices/01a1/pdf', '/api/billing/invoices/01a1/pdf'],
    ['/api/billing/credit-notes/01a1', '/api/billing/credit-notes/01a1'],
    ['/sandbox', '/sandbox'],
  ])('%s of this site is gone to', (asked, expected) => {
    expect(returnPath(asked)).toBe(expected)
  })

  test.each([
    [undefined],
    [''],
    ['//evil.example'],
    ['/\\evil.example'],
    ['/\t/evil.example'],
    ['/\n//evil.example'],
    ['/.//evil.example'],
    ['/..//evil.example/x'],
    ['https://evil.example'],
    ['javascript:alert(1)'],
    ['members'],
    ['admin'],
    [' /members'],
    ['/login?redirect=/login'],
    ['/api/logout'],
    ['/api/billing/invoices/../../logout'],
    ['/api/billing/invoices/01a1/pdf/..%2f..'],
  ])('%j is refused, and the members’ area takes its place', (asked) => {
    expect(returnPath(asked)).toBe('/members')
  })

  test('the server’s own pages are opened there, not by the app', () => {
    const pages = ['/api/billing/invoices/01a1', '/sandbox', '/sandbox/mail', '/sandbox/mail/01a1']
    expect([...pages, '/members', '/sandboxes', '/sandbox/stripe/js'].filter(isServerPage)).toEqual(pages)
  })
})
