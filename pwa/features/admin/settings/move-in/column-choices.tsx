import { useDefaultTier, useTierNames, useTierSlugs } from '#pwa/features/admin/kit/tiers/use-tier-names.ts'
import { CheckField, SelectField } from '#pwa/ui/field.tsx'
import {
  type Import,
  type ImportColumn,
  type ImportOptions,
  type MemberImportField,
  memberImportFields,
} from '#shared/contract/imports.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { blockSentence } from '#shared/rules/imports.ts'
import { plural } from '#shared/rules/plural.ts'
import { PriceChoice } from './stripe-choices.tsx'
import type { Reading } from './use-import-action.ts'

const fieldLabels: Record<MemberImportField, string> = {
  email: 'Email',
  name: 'Full name',
  firstName: 'First name',
  lastName: 'Last name',
  phone: 'Phone',
  businessName: 'Business name',
  trade: 'Trade',
  joined: 'Joined on',
  paidUntil: 'Paid until',
  complimentary: 'Has it for free',
  subscribed: 'Agreed to your emails',
  blocked: 'Unsubscribed or bounced',
  lessonsDone: 'Videos done',
  plan: 'Plan',
  note: 'Note',
}

type Props = { given: Import; reading: Reading }

/** Which column is what, with an example beside it. What would be left out is shown without asking. */
export function ColumnChoices({ given, reading: { wanted, choose } }: Props) {
  const { columns, facts, problem } = given
  const isFree = facts.some(({ fact }) => fact === 'free-access' || fact === 'complimentary')
  const plans = columns.flatMap((column) => column.plans ?? [])
  const left = columns.filter(({ field }) => field === null).length
  return (
    <>
      <details className="numbers" open={problem !== null || left > 0}>
        <summary>{`What’s in each column${left > 0 ? ` (${left} left out)` : ''}`}</summary>
        <ul className="plain movein__columns">
          {columns.map((column, at) => (
            // A spreadsheet may have two columns of one name.
            // biome-ignore lint/suspicious/noArrayIndexKey: columns never change their order
            <li key={`${at} ${column.heading}`}>
              <SelectField
                label={column.heading}
                hint={blockSentence(column) ?? (column.sample === '' ? undefined : `For example: ${column.sample}`)}
                value={fieldOf(given, wanted, column)}
                onChange={({ target }) => choose({ columns: withField(given, wanted, column, target.value) })}
              >
                <option value="">{wanted.keepsNotes ? 'Note' : 'Leave out'}</option>
                {memberImportFields
                  .filter((field) => field !== 'note')
                  .map((field) => (
                    <option key={field} value={field}>
                      {fieldLabels[field]}
                    </option>
                  ))}
              </SelectField>
            </li>
          ))}
        </ul>
      </details>
      {plans.length > 0 && (
        <details className="numbers" open={isFree && plans.some(({ tier }) => tier === null)}>
          <summary>Which tier each plan is</summary>
          <ul className="plain movein__columns">
            {plans.map(({ name, lines, tier, guess }) => (
              <li key={name}>
                <PriceChoice
                  price={{ heading: name, sample: `${name} · ${plural(lines, 'line')}`, field: tier, guess }}
                  value={wanted.tiers[name] ?? tier ?? ''}
                  isChosen={wanted.tiers[name] !== undefined}
                  onChange={(chosen) => choose({ tiers: { ...wanted.tiers, [name]: chosen } })}
                />
              </li>
            ))}
          </ul>
        </details>
      )}
      <CheckField
        label="Keep tags and other columns as a note on each member"
        checked={wanted.keepsNotes}
        onChange={({ target }) => choose({ keepsNotes: target.checked })}
      />
      {(isFree || wanted.tier !== null) && <TierChoice tier={wanted.tier} onChange={(tier) => choose({ tier })} />}
    </>
  )
}

function TierChoice({ tier, onChange }: { tier: TierSlug | null; onChange: (tier: TierSlug | null) => void }) {
  const tierName = useTierNames()
  const slugs = useTierSlugs()
  const defaultTier = useDefaultTier()
  return (
    <SelectField
      className="movein__tier"
      label="Tier of people with free access"
      hint="They can watch its videos until the day they’ve paid for. If there’s no such day, until you end it."
      value={tier ?? defaultTier}
      onChange={({ target }) => onChange(slugs.find((slug) => slug === target.value) ?? null)}
    >
      {slugs.map((slug) => (
        <option key={slug} value={slug}>
          {tierName(slug)}
        </option>
      ))}
    </SelectField>
  )
}

/** The field a column would fill: as it was read, or as it's been chosen since. Empty for none. */
function fieldOf({ options }: Import, wanted: ImportOptions, { heading, field }: ImportColumn): MemberImportField | '' {
  const isSame = (one: MemberImportField) => wanted.columns[one] === options.columns[one]
  const chosen = memberImportFields.find((one) => !isSame(one) && heading !== '' && wanted.columns[one] === heading)
  const read = memberImportFields.find((one) => one === field && one !== 'note' && isSame(one))
  return chosen ?? read ?? ''
}

/** The field it filled gets the column that's left, or none. The others may go on being found by name. */
function withField(
  given: Import,
  wanted: ImportOptions,
  column: ImportColumn,
  chosen: string,
): ImportOptions['columns'] {
  const before = fieldOf(given, wanted, column)
  const after = memberImportFields.find((one) => one === chosen)
  const rest = given.columns.find((one) => one !== column && fieldOf(given, wanted, one) === before)
  return {
    ...wanted.columns,
    ...(before === '' ? {} : { [before]: rest?.heading ?? '' }),
    ...(after === undefined ? {} : { [after]: column.heading }),
  }
}
