import { expect, test } from 'vitest'
import { type BrowserSeen, isAppsBrowser } from './browser-kind.ts'
import { type AppleBrowser, type InstallWay, installWay, mayClearAfterAWeek } from './install-way.ts'

const seen = (userAgent: string, more: Partial<BrowserSeen> = {}): BrowserSeen => ({
  userAgent,
  touchPoints: 5,
  isStandalone: false,
  ...more,
})

const iphone = (version: string) => `Mozilla/5.0 (iPhone; CPU iPhone OS ${version} like Mac OS X) AppleWebKit/605.1.15`
const like = '(KHTML, like Gecko)'
const android = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko)'
const view = 'Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/UQ1A.240105.004; wv) AppleWebKit/537.36 (KHTML, like Gecko)'
const inView = `${view} Version/4.0 Chrome/121.0.6167.143 Mobile Safari/537.36`
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)'

const apple = (browser: AppleBrowser, isFrom26: boolean): InstallWay => ({
  kind: 'apple',
  browser,
  isFrom26,
})
const leaveApple: InstallWay = { kind: 'leave', isApple: true }
const leaveOther: InstallWay = { kind: 'leave', isApple: false }

// As browsers send them: the fixtures of ua-parser-js, inapp-spy, device-detector and others, and WebKit's own notes of Safari 26.
const browsers: readonly [name: string, userAgent: string, way: InstallWay | null][] = [
  ['Safari 16.4', `${iphone('16_4')} ${like} Version/16.4 Mobile/15E148 Safari/604.1`, apple('Safari', false)],
  ['Safari 18.6', `${iphone('18_6')} ${like} Version/18.6 Mobile/15E148 Safari/604.1`, apple('Safari', false)],
  ['Safari 26', `${iphone('18_6')} ${like} Version/26.0 Mobile/15E148 Safari/604.1`, apple('Safari', true)],
  [
    'Safari on an iPod',
    `${iphone('15_8').replace('iPhone;', 'iPod touch;')} ${like} Version/15.6 Mobile/15E148 Safari/604.1`,
    apple('Safari', false),
  ],
  ['Safari on an iPad', `${mac} Version/18.5 Safari/605.1.15`, apple('Safari', false)],
  ['Safari 26 on an iPad', `${mac} Version/26.0 Safari/605.1.15`, apple('Safari', true)],
  [
    'Safari on an iPad, its phone’s pages',
    'Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
    apple('Safari', true),
  ],
  [
    'Chrome on iOS 18',
    `${iphone('18_1')} ${like} CriOS/131.0.6778.73 Mobile/15E148 Safari/604.1`,
    apple('Chrome', false),
  ],
  [
    'Chrome on iOS 26',
    `${iphone('26_1_0')} ${like} CriOS/143.0.7499.108 Mobile/15E148 Safari/604.1`,
    apple('Chrome', true),
  ],
  [
    'Edge on iOS 17',
    `${iphone('17_0_3')} ${like} Version/17.0 EdgiOS/118.2088.52 Mobile/15E148 Safari/605.1.15`,
    apple('Edge', false),
  ],
  [
    'Edge on iOS 18',
    `${iphone('18_1')} ${like} EdgiOS/131.0.2903.68 Mobile/15E148 Safari/605.1.15`,
    apple('Edge', false),
  ],
  [
    'Edge on iOS 26',
    `${iphone('26_0')} ${like} Version/26.0 EdgiOS/140.0.0.0 Mobile/15E148 Safari/604.1`,
    apple('Edge', true),
  ],
  ['Firefox on iOS 18', `${iphone('18_1')} ${like} FxiOS/133.0 Mobile/15E148 Safari/605.1.15`, apple('Firefox', false)],
  ['Firefox on iOS 26', `${iphone('26_0')} ${like} FxiOS/140.0 Mobile/15E148 Safari/605.1.15`, apple('Firefox', true)],
  ['Opera on iOS', `${iphone('18_1')} ${like} Version/18.1 Mobile/15E148 Safari/604.1 OPT/5.1.0`, null],
  [
    'DuckDuckGo on iOS',
    `${iphone('18_5')} ${like} Version/18.5 Mobile/15E148 DuckDuckGo/7 Safari/605.1.15 Ddg/18.5`,
    null,
  ],

  [
    'Facebook on iOS',
    `${iphone('17_4')} ${like} Mobile/15E148 [FBAN/FBIOS;FBAV/482.0.0.29.107;FBBV/650000000;FBDV/iPhone14,5;FBMD/iPhone;FBSN/iOS;FBSV/17.4;FBSS/3;FBID/phone;FBLC/en_GB;FBOP/5]`,
    leaveApple,
  ],
  [
    'Messenger on an iPad',
    'Mozilla/5.0 (iPad; CPU OS 11_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E216 [FBAN/MessengerForiOS;FBAV/167.0.0.57.96;FBBV/109575372;FBDV/iPad5,3;FBMD/iPad;FBSN/iOS;FBSV/11.3]',
    leaveApple,
  ],
  [
    'Instagram on iOS',
    `${iphone('17_5')} ${like} Mobile/15E148 Instagram 300.0.0.18.110 (iPhone15,2; iOS 17_5; en_GB; en-GB; scale=3.00; 1179x2556)`,
    leaveApple,
  ],
  ['WhatsApp on iOS', `${iphone('18_6')} ${like} Version/26.6 Mobile/15E148 Safari/604.1 [WAiOS/2.26.31]`, leaveApple],
  ['LinkedIn on iOS', `${iphone('18_7')} ${like} Mobile/15E148 [LinkedInApp]/9.32.2485`, leaveApple],
  [
    'LinkedIn on iOS, with Safari’s name',
    `${iphone('18_7')} ${like} Mobile/15E148 Safari/604.1 [LinkedInApp]/9.78.4909`,
    leaveApple,
  ],
  [
    'Snapchat on iOS',
    `${iphone('17_3_1')} ${like} Version/17.3.1 Mobile/15E148 Snapchat/12.72.0.39 (like Safari/8617.2.4.10.8, panda)`,
    leaveApple,
  ],
  [
    'TikTok on iOS',
    `${iphone('17_3_1')} ${like} Mobile/15E148 BytedanceWebview/d8a21c6 musical_ly_33.2.1 JsSdk/2.0`,
    leaveApple,
  ],
  ['the Google app on iOS', `${iphone('18_0')} ${like} GSA/338.0.679569035 Mobile/15E148 Safari/604.1`, leaveApple],
  ['an app we don’t know, on iOS', `${iphone('26_0')} ${like} Mobile/15E148`, leaveApple],
  ['Facebook on Android', `${inView} [FB_IAB/FB4A;FBAV/482.0.0.29.107;]`, leaveOther],
  [
    'Instagram on Android',
    `${inView} Instagram 295.0.0.32.119 Android (34/14; 420dpi; 1080x2400; Google; Pixel 8)`,
    leaveOther,
  ],
  ['WhatsApp on Android', `${inView} WA4A/2.26.30.97`, leaveOther],
  ['LinkedIn on Android', `${inView} [LinkedInApp]/2.312.70`, leaveOther],
  ['an app we don’t know, on Android', inView, leaveOther],

  ['Samsung Internet', `${android} SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36`, { kind: 'samsung' }],
  [
    'Samsung Internet on a tablet',
    'Mozilla/5.0 (Linux; Android 14; SAMSUNG SM-X710) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/26.0 Chrome/122.0.0.0 Safari/537.36',
    { kind: 'samsung' },
  ],
  [
    'a Samsung television',
    'Mozilla/5.0 (SMART-TV; Linux; Tizen 5.0) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/2.2 Chrome/63.0.3239.84 TV Safari/537.36',
    null,
  ],
  ['Chrome on Android', `${android} Chrome/131.0.0.0 Mobile Safari/537.36`, null],
  ['Firefox on Android', 'Mozilla/5.0 (Android 14; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0', null],
  [
    'Chrome on Windows',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    null,
  ],
  [
    'Edge on Windows',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.2903.86',
    null,
  ],
  ['Firefox on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:115.0) Gecko/20100101 Firefox/115.0', null],
]

test.each(browsers)('%s', (_name, userAgent, way) => {
  expect(installWay(seen(userAgent), false)).toEqual(way)
  expect(isAppsBrowser(seen(userAgent))).toBe(way?.kind === 'leave')
  expect(installWay(seen(userAgent, { isStandalone: true }), true), 'installed').toBeNull()
})

test.each(browsers.filter(([, , way]) => way === null || way.kind === 'samsung'))(
  '%s, with its offer',
  (_, userAgent) => {
    expect(installWay(seen(userAgent), true)).toEqual({ kind: 'offer' })
  },
)

test('a Mac isn’t an iPad, and an app on the home screen isn’t another app’s browser', () => {
  expect(installWay(seen(`${mac} Version/26.0 Safari/605.1.15`, { touchPoints: 0 }), false)).toBeNull()
  // From the home screen, an iPhone leaves out Safari's name.
  const fromHomeScreen = seen(`${iphone('18_6')} ${like} Mobile/15E148`, { isStandalone: true })
  expect(isAppsBrowser(fromHomeScreen)).toBe(false)
})

test('Safari may clear what a site stored, on every Apple device but not from the home screen, and no other browser does', () => {
  const cleared = browsers.filter(([, userAgent]) => mayClearAfterAWeek(seen(userAgent))).map(([name]) => name)
  expect(cleared).toEqual(
    browsers.filter(([, userAgent]) => /iPhone|iPad|iPod|Macintosh/.test(userAgent)).map(([name]) => name),
  )
  const [, safari] = browsers[1] ?? ['', '']
  expect(mayClearAfterAWeek(seen(safari, { isStandalone: true }))).toBe(false)
  expect(mayClearAfterAWeek(seen(`${mac} Version/18.5 Safari/605.1.15`, { touchPoints: 0 }))).toBe(true)
  const chrome =
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
  expect(mayClearAfterAWeek(seen(chrome, { touchPoints: 0 }))).toBe(false)
})
