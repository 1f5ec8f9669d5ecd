import { formatPounds } from './money.ts'

type Tier = { slug: string; price: number }
type Shipped = { line: string; tiers: readonly Tier[] }

/**
 * "from £147 + VAT per month". The shipped line stays while the tiers cost what they cost when they were shipped; after that
 * it follows the lowest tier on sale, unless an owner has written another one. Prices are pence excluding VAT.
 */
export function lowestPriceLine(line: string, tiers: readonly Tier[], shipped: Shipped): string {
  const isShippedPrice = ({ slug, price }: Tier) =>
    shipped.tiers.some((one) => one.slug === slug && one.price === price)
  if (line !== shipped.line || tiers.length === 0 || tiers.every(isShippedPrice)) return line
  return `from ${formatPounds(Math.min(...tiers.map(({ price }) => price)))} + VAT per month`
}
