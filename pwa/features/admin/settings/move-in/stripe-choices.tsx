import { useState } from 'react'
import { useTierNames } from '#pwa/features/admin/money/tiers/use-tier-names.ts'
import { useAdminAction } from '#pwa/features/admin/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { CheckField, SelectField } from '#pwa/ui/field.tsx'
import { Import, type ImportColumn, type ImportOptions } from '#shared/contract/imports.ts'
import { tierSlugs } from '#shared/contract/tier.ts'
import type { TierChoice } from '#shared/rules/adoption.ts'
import { switchOffSteps } from '#shared/rules/adoption-texts.ts'
import { stayLines } from '#shared/rules/imports.ts'

const choices: readonly TierChoice[] = [...tierSlugs, 'none']
const isProgram = ({ field }: ImportColumn) => field === 'program'

/** What stays at Stripe, and which tier each price is. Reading it again changes nothing else. */
export function StripeChoices({ given }: { given: Import }) {
  const { id, columns, options } = given
  const [tiers, setTiers] = useState<ImportOptions['tiers']>({})
  const [freeAccess, setFreeAccess] = useState(options.freeAccess)
  const again = useAdminAction({
    schema: Import,
    send: (wanted: ImportOptions) => api.api.admin.imports({ id }).plan.post({ options: wanted }),
    failure: 'We couldn’t read Stripe again.',
    done: { title: 'Reading Stripe again' },
    onDone: () => setTiers({}),
  })
  const isChanged = Object.keys(tiers).length > 0 || freeAccess !== options.freeAccess
  return (
    <>
      <Staying given={given} />
      <ul className="plain movein__columns">
        {columns
          .filter((one) => !isProgram(one))
          .map((price) => (
            <li key={price.heading}>
              <PriceChoice
                price={price}
                value={tiers[price.heading] ?? price.field ?? ''}
                onChange={(tier) => setTiers({ ...tiers, [price.heading]: tier })}
              />
            </li>
          ))}
      </ul>
      <CheckField
        label="Let people who stay at Stripe in until the day they’ve paid up to"
        checked={freeAccess}
        onChange={({ target }) => setFreeAccess(target.checked)}
      />
      {again.problem && <Banner tone="bad" role="alert" title={again.problem} />}
      <div className="movein__acts">
        <Button
          look="line"
          isBusy={again.isPending}
          busyLabel="Starting…"
          disabled={!isChanged}
          onClick={() => again.mutate({ ...options, tiers: { ...options.tiers, ...tiers }, freeAccess })}
        >
          Read it again
        </Button>
      </div>
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

type PriceProps = { price: ImportColumn; value: string; onChange: (tier: TierChoice) => void }

function PriceChoice({ price: { heading, sample }, value, onChange }: PriceProps) {
  const tierName = useTierNames()
  const choose = (chosen: string) => {
    const tier = choices.find((one) => one === chosen)
    if (tier !== undefined) onChange(tier)
  }
  const [name = heading, price, ...facts] = sample.split(' · ')
  return (
    <SelectField
      label={price === undefined ? name : `${name}: ${price}`}
      hint={[...facts, heading].join(' · ')}
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
