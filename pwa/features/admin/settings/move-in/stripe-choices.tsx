import { useTierNames, useTierSlugs } from '#pwa/features/admin/kit/tiers/use-tier-names.ts'
import { CheckField, SelectField } from '#pwa/ui/field.tsx'
import type { Import, ImportColumn } from '#shared/contract/imports.ts'
import type { TierChoice } from '#shared/rules/adoption.ts'
import { guessWords, switchOffSteps } from '#shared/rules/adoption-texts.ts'
import { stayLines } from '#shared/rules/imports.ts'
import type { Reading } from './use-import-action.ts'

const isProgram = ({ field }: ImportColumn) => field === 'program'

type Props = { given: Import; reading: Reading }

/** What stays at Stripe, and which tier each price is. Reading it again changes nothing else. */
export function StripeChoices({ given, reading: { wanted, choose } }: Props) {
  const prices = given.columns.filter((one) => !isProgram(one))
  return (
    <>
      <Staying given={given} />
      <ul className="plain movein__columns">
        {prices.map((price) => (
          <li key={price.heading}>
            <PriceChoice
              price={price}
              value={wanted.tiers[price.heading] ?? price.field ?? ''}
              isChosen={wanted.tiers[price.heading] !== undefined}
              onChange={(tier) => choose({ tiers: { ...wanted.tiers, [price.heading]: tier } })}
            />
          </li>
        ))}
      </ul>
      <CheckField
        label="Give people who stay at Stripe free access until the day they’ve paid up to"
        checked={wanted.freeAccess}
        onChange={({ target }) => choose({ freeAccess: target.checked })}
      />
    </>
  )
}

function Staying({ given }: { given: Import }) {
  const programs = given.columns.filter(isProgram)
  return (
    <ul className="plain">
      {stayLines(given).map(({ reason, count, why, remedy }) => (
        <li key={reason}>
          <b>{`${count.toLocaleString('en-GB')}: ${why}.`}</b> {remedy}
        </li>
      ))}
      {programs.map(({ heading, sample }) => (
        <li key={heading}>{`Made by ${heading}: ${sample}`}</li>
      ))}
    </ul>
  )
}

type PriceProps = { price: ImportColumn; value: string; isChosen: boolean; onChange: (tier: TierChoice) => void }

export function PriceChoice({ price: { heading, sample, guess }, value, isChosen, onChange }: PriceProps) {
  const tierName = useTierNames()
  const choices: readonly TierChoice[] = [...useTierSlugs(), 'none']
  const choose = (chosen: string) => {
    const tier = choices.find((one) => one === chosen)
    if (tier !== undefined) onChange(tier)
  }
  const [name = heading, price, ...facts] = sample.split(' · ')
  return (
    <SelectField
      label={price === undefined ? name : `${name}: ${price}`}
      hint={
        <>
          {guess !== undefined && !isChosen && <b className="movein__guess">{`${guessWords[guess]}.`}</b>}
          {[...facts, heading].join(' · ')}
        </>
      }
      value={value}
      onChange={({ target }) => choose(target.value)}
    >
      <option value="">Choose a tier</option>
      {choices.map((one) => (
        <option key={one} value={one}>
          {one === 'none' ? 'Not a membership' : tierName(one)}
        </option>
      ))}
    </SelectField>
  )
}

/** Stripe doesn't tell us whether its own emails are off, so an owner ticks each step. */
export function StripeSteps({ ticked, onTick }: { ticked: number; onTick: (ticked: number) => void }) {
  return (
    <fieldset className="movein__letters">
      <legend>First, in Stripe</legend>
      {switchOffSteps.map((step, at) => (
        <CheckField
          key={step}
          label={step}
          checked={at < ticked}
          disabled={at > ticked}
          onChange={({ target }) => onTick(target.checked ? at + 1 : at)}
        />
      ))}
    </fieldset>
  )
}

export const allTicked = switchOffSteps.length
