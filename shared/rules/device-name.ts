/** Newer names first, because most browsers also claim to be the older ones. */
const browsers: readonly [mark: RegExp, name: string][] = [
  [/Edg(?:A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]

const systems: readonly [mark: RegExp, name: string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'Mac'],
  [/CrOS/, 'Chromebook'],
  [/Linux/, 'Linux'],
]

const nameIn = (list: readonly [RegExp, string][], text: string) => list.find(([mark]) => mark.test(text))?.[1]

/** What a browser says it is, such as "Chrome on Android"; null if we don't know it. It's a claim, not proof. */
export function deviceName(userAgent: string | null): string | null {
  const browser = nameIn(browsers, userAgent ?? '')
  const system = nameIn(systems, userAgent ?? '')
  if (browser === undefined) return system ?? null
  return system === undefined ? browser : `${browser} on ${system}`
}
