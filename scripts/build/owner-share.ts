import type { Plugin } from 'vite'
import { budgets } from './budgets.ts'
import { brotli } from './compress.ts'

/** The chunks public and members' pages share. Owners' code belongs in others. */
const sharedByAll = ['site', 'forms', 'tiers', 'dates', 'requests', 'store', 'session', 'app']

const isForOwners = (id: string) => /\/(features\/(admin|viewing-as)\/|lib\/viewing-as-flag\.ts)/.test(id)

const bytesOf = (codes: readonly string[]) => brotli(Buffer.from(codes.join('\n'))).byteLength

/**
 * Fails a build in which visitors and members load more owners’ code than budgeted. Compares each shared chunk with and
 * without the owners' modules, before minification.
 */
export const ownerShare: Plugin = {
  name: 'owner-share',
  apply: 'build',
  generateBundle(_options, bundle) {
    const shares = Object.values(bundle).flatMap((file) => {
      // An owners' place may have the name of a shared chunk.
      if (file.type !== 'chunk' || file.isDynamicEntry || !sharedByAll.includes(file.name)) return []
      const modules = Object.entries(file.modules).map(([id, { code }]) => ({ id, code: code ?? '' }))
      const others = modules.filter(({ id }) => !isForOwners(id))
      if (others.length === modules.length) return []
      return [bytesOf(modules.map(({ code }) => code)) - bytesOf(others.map(({ code }) => code))]
    })
    const share = shares.reduce((sum, one) => sum + one, 0)
    console.log(`for owners, on every page: ${share} bytes`)
    if (shares.length === 0)
      throw new Error('No module is known as the owners’ any more (scripts/build/owner-share.ts).')
    if (share > budgets.ownerShare)
      throw new Error(`Every page carries ${share} bytes for owners, at most ${budgets.ownerShare} (budgets.ts).`)
  },
}
