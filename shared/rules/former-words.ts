/** The texts that say whose site it is and who it's for. */
export type Identity = { name: string; shortName: string; tagline: string; trades: string }

export type FormerKind = 'name' | 'trade'

type Given = { shipped: Identity; own: Identity; tradeWords: readonly string[] }

/**
 * What a text still has of the site as it shipped: its name, once owners gave it another, and words of its trade, once they said who
 * it's for. A word they use for themselves is theirs.
 */
export function formerWords({ shipped, own, tradeWords }: Given): (text: string) => FormerKind | null {
  const isRenamed = own.name !== shipped.name || own.shortName !== shipped.shortName
  const isShortNameOwn = own.shortName !== shipped.shortName || has(own.name, own.shortName)
  const ownNames = [own.name, ...(isShortNameOwn ? [own.shortName] : [])]
  const names = isRenamed ? [shipped.name, shipped.shortName].filter((name) => !ownNames.includes(name)) : []
  const said = [...ownNames, own.tagline, own.trades].join(' ')
  const trade = own.trades === shipped.trades ? [] : tradeWords.filter((word) => !has(said, word))
  return (text) => {
    const rest = ownNames.reduce((left, name) => left.replaceAll(name, ' '), text.replace(/\{[^}]*\}/g, ' '))
    if (names.some((name) => has(rest, name))) return 'name'
    return trade.some((word) => has(rest, word)) ? 'trade' : null
  }
}

/** As a whole word, in any case, and in the plural. A cookie such as `alliance_session` is the program’s. */
const has = (text: string, word: string): boolean =>
  new RegExp(`(?<![\\p{L}\\d_])${word.replace(/[.*+?^$()|[\]{}\\]/g, '\\$&')}s?(?![\\p{L}\\d_])`, 'iu').test(text)
