import type { NetworkKind } from '#shared/rules/shelf.ts'

/** https://wicg.github.io/netinfo/: Chromium on Android tells `type`, other browsers nothing. */
type Connection = EventTarget & { type?: string; saveData?: boolean }
const hasConnection = (browser: object): browser is { connection: Connection } => 'connection' in browser
export const networkConnection = (): Connection | null => (hasConnection(navigator) ? navigator.connection : null)

const kinds: Partial<Record<string, NetworkKind>> = {
  wifi: 'wifi',
  ethernet: 'wifi',
  cellular: 'mobile',
  wimax: 'mobile',
}

export const readNetwork = (): NetworkKind => kinds[networkConnection()?.type ?? ''] ?? 'unknown'

/** The member has told the browser to be sparing. */
export const savesData = (): boolean => networkConnection()?.saveData === true
