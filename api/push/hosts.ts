import type { Settings } from '#api/settings.ts'

/** The browsers' push services. A name that begins with `*.` stands for the ones below it. */
const knownHosts = [
  'fcm.googleapis.com',
  'updates.push.services.mozilla.com',
  '*.push.apple.com',
  '*.notify.windows.com',
] as const

type HostSettings = Pick<Settings, 'isSandbox' | 'port' | 'pushHosts'>

/** Names are compared as names: one that begins like an IPv6 address of a private network, such as `fcm…`, is a name all the same. */
const isNamed = (host: string, pattern: string): boolean =>
  pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern

/** Whether we send to this address: https at a known push service. Only the sandbox may name its own. */
export function isPushAddress(settings: HostSettings, endpoint: string): boolean {
  const url = URL.parse(endpoint)
  if (url === null || url.username !== '' || url.password !== '') return false
  if (isSandboxAddress(settings, url)) return true
  const hosts = [...knownHosts, ...settings.pushHosts]
  return url.protocol === 'https:' && url.port === '' && hosts.some((pattern) => isNamed(url.hostname, pattern))
}

export const sandboxPushPath = '/sandbox/push'

const isSandboxAddress = ({ isSandbox, port }: HostSettings, url: URL): boolean =>
  isSandbox && url.origin === sandboxPushOrigin({ port }) && url.pathname.startsWith(`${sandboxPushPath}/`)

export const sandboxPushOrigin = ({ port }: Pick<Settings, 'port'>): string => `http://127.0.0.1:${port}`
