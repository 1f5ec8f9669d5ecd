import { expect, test } from 'vitest'
import { createBrowserPlatform } from './browser-platform.ts'

test('the page wakes the engine when it becomes visible and when the signal returns, until unsubscribed', () => {
  const reasons: string[] = []
  const stop = createBrowserPlatform().onWake((reason) => reasons.push(reason))
  document.dispatchEvent(new Event('visibilitychange'))
  window.dispatchEvent(new Event('online'))
  stop()
  window.dispatchEvent(new Event('online'))
  expect(reasons).toEqual(['visible', 'online'])
})
