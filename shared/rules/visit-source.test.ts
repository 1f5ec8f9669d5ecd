import fc from 'fast-check'
import { expect, test } from 'vitest'
import { visitSource } from './visit-source.ts'

test('a site is counted by its name or host, a campaign by its word, and nothing that points at a person', () => {
  const cases: Record<string, string | null> = {
    '': 'direct',
    'https://www.google.co.uk/': 'google',
    'https://google.com/search?q=secret': 'google',
    'android-app://com.google.android.gm/': 'google',
    'https://m.facebook.com/': 'facebook',
    'https://t.co/abc': 'x',
    'https://www.toolstalk.co.uk/forum/1': 'toolstalk.co.uk',
    'https://notgoogle.com/': 'notgoogle.com',
    'https://alliance.example/about': null,
    'https://192.168.0.1/': 'other',
    'https://[::1]/': 'other',
    'https://07700900123.example/': 'other',
    'https://': 'other',
    Facebook: 'facebook',
    spring_letter: 'spring_letter',
    'sam@example.com': 'other',
    '07700900123': 'other',
    '<b>x</b>': 'other',
  }
  expect(Object.fromEntries(Object.keys(cases).map((from) => [from, visitSource(from, 'alliance.example')]))).toEqual(
    cases,
  )
})

test('whatever is sent, a source is a short plain word', { tags: ['full'] }, () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.webUrl(), fc.domain()), (from) => {
      expect(visitSource(from, 'alliance.example') ?? 'direct').toMatch(/^[a-z0-9][a-z0-9_.-]{0,59}$/)
    }),
  )
})
