import { expect, test } from 'vitest'
import { canonicalAddress } from '#api/network-address.ts'
import { startWorld } from '#api/testing/world.ts'
import { clientAddress } from './client-address.ts'

test.each([
  ['10.0.0.1', '10.0.0.1'],
  [' 10.0.0.1 ', '10.0.0.1'],
  ['10.0.0.1:51234', '10.0.0.1'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['::FFFF:0a00:0001', '10.0.0.1'],
  ['[::ffff:10.0.0.1]:443', '10.0.0.1'],
  ['2001:0DB8:0:0::1', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['[::1]', '::1'],
])('an address has one spelling: %s', (text, address) => {
  expect(canonicalAddress(text)).toBe(address)
})

test.each([
  '',
  '1',
  '10.0.1',
  '010.0.0.1',
  '10.0.0.256',
  '0x7f000001',
  'unknown',
  '_hidden',
  '[10',
  '10.0.0.1:x',
  '1::2::3',
  '1'.repeat(100_000),
  `${'0:'.repeat(50_000)}:1`,
  `a${'\t'.repeat(100_000)}b`,
  `[${'['.repeat(100_000)}`,
])('what is no address is none: %.20s', (text) => {
  expect(canonicalAddress(text)).toBeNull()
})

function clientOf(forwarded: string, trusted = '127.0.0.1') {
  const { ctx } = startWorld({ env: { TRUSTED_PROXIES: trusted } })
  const request = new Request('http://localhost/', { headers: { 'x-forwarded-for': forwarded } })
  return clientAddress(ctx, { request, server: null })
}

test('the client is the last address that no trusted proxy has, however it is written', () => {
  expect(clientOf('10.0.0.9, 10.0.0.1')).toBe('10.0.0.1')
  expect(clientOf('10.0.0.9, ::ffff:10.0.0.1, [::ffff:127.0.0.1]:80')).toBe('10.0.0.1')
  expect(clientOf('10.0.0.9, 2001:db8:0::2', '::ffff:127.0.0.1,2001:DB8::2')).toBe('10.0.0.9')
})

test('an IPv6 address counts with its whole network of 64 bits, whatever its port or zone', () => {
  const one = clientOf('2001:db8:1:2::1')
  expect(one).toBe('2001:db8:1:2::/64')
  for (const same of ['2001:db8:1:2:ffff::9', '[2001:DB8:1:2::7]:51234', '2001:db8:1:2::1%eth0'])
    expect([same, clientOf(same)]).toEqual([same, one])
  expect(clientOf('2001:db8:1:3::1')).not.toBe(one)
})

test('a proxy that names no client counts itself: what the client sent before is not believed', () => {
  for (const forwarded of ['', ' , ', '10.0.0.9, unknown', '10.0.0.9, 1']) expect(clientOf(forwarded)).toBe('127.0.0.1')
})

test('a header of millions of characters is read to its end, where work that grew faster would never get', () => {
  const { ctx } = startWorld({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
  for (const forwarded of [`a${'\t'.repeat(4_000_000)}b, 10.0.0.1`, `${'::1,'.repeat(1_000_000)}10.0.0.1`]) {
    const request = new Request('http://localhost/', { headers: { 'x-forwarded-for': forwarded } })
    expect(clientAddress(ctx, { request, server: null })).toBe('10.0.0.1')
  }
})
