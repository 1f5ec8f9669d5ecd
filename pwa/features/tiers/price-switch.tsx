import { useEffect, useId, useState } from 'react'
import type { MembershipTier, PricePeriod } from '#shared/contract/tier.ts'
import { hasBothPeriods } from '#shared/rules/tier-prices.ts'

const words: Record<PricePeriod, string> = { month: 'By the month', year: 'By the year' }

export type Period = { every: PricePeriod; onChange: (every: PricePeriod) => void }

const periods = ['month', 'year'] as const

/** One switch for all the cards below it. Nothing where no tier has both. */
export function PriceSwitch({ tiers, every, onChange }: Period & { tiers: readonly Pick<MembershipTier, 'prices'>[] }) {
  const name = useId()
  const [isReady, setReady] = useState(false)
  // On a slow phone it stands there before its code has come. A press then would move the mark, and not the prices.
  useEffect(() => setReady(true), [])
  if (!hasBothPeriods(tiers)) return null
  return (
    <fieldset className="priceswitch" disabled={!isReady}>
      <legend className="vh">How you’d pay</legend>
      {periods.map((period) => (
        <label key={period}>
          <input type="radio" name={name} checked={period === every} onChange={() => onChange(period)} />
          <span>{words[period]}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** `chosen` came with the page; a press on the switch outranks it. */
export function usePeriod(chosen: PricePeriod | undefined): Period {
  const [pressed, press] = useState<PricePeriod>()
  return { every: pressed ?? chosen ?? 'month', onChange: press }
}
