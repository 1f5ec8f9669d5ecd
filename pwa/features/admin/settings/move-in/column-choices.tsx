import { useState } from 'react'
import { useTierNames } from '#pwa/features/admin/money/tiers/use-tier-names.ts'
import { useAdminAction } from '#pwa/features/admin/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { CheckField, SelectField } from '#pwa/ui/field.tsx'
import {
  Import,
  type ImportColumn,
  type ImportOptions,
  type MemberImportField,
  memberImportFields,
} from '#shared/contract/imports.ts'
import { type TierSlug, tierSlugs } from '#shared/contract/tier.ts'

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
  note: 'Note',
}

/** Which column is what, with an example beside it. Reading it again changes nothing else. */
export function ColumnChoices({ given }: { given: Import }) {
  const { id, columns, options, facts, problem } = given
  const [tier, setTier] = useState<TierSlug | null>(options.tier)
  const [keepsNotes, setKeepsNotes] = useState(options.keepsNotes)
  const [chosen, setChosen] = useState<Record<string, string>>({})
  const fieldOf = ({ heading, field }: ImportColumn) => chosen[heading] ?? field ?? ''
  const again = useAdminAction({
    schema: Import,
    send: (wanted: ImportOptions) => api.api.admin.imports({ id }).plan.post({ options: wanted }),
    failure: 'We couldn’t read the file again.',
    done: { title: 'Reading it again' },
    onDone: () => setChosen({}),
  })
  const isFree = facts.some(({ fact }) => fact === 'free-access' || fact === 'complimentary')
  const left = columns.filter(({ field }) => field === null).length
  const isChanged = Object.keys(chosen).length > 0 || tier !== options.tier || keepsNotes !== options.keepsNotes
  return (
    <details className="numbers" open={problem !== null}>
      <summary>{`What’s in each column${left > 0 ? ` (${left} left out)` : ''}`}</summary>
      <ul className="plain movein__columns">
        {columns.map((column) => (
          <li key={column.heading}>
            <SelectField
              label={column.heading}
              hint={column.sample === '' ? undefined : `For example: ${column.sample}`}
              value={fieldOf(column)}
              onChange={({ target }) => setChosen({ ...chosen, [column.heading]: target.value })}
            >
              <option value="">{keepsNotes ? 'Note' : 'Leave out'}</option>
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
      {(isFree || tier !== null) && <TierChoice tier={tier} onChange={setTier} />}
      <CheckField
        label="Keep tags and other columns as a note on each member"
        checked={keepsNotes}
        onChange={({ target }) => setKeepsNotes(target.checked)}
      />
      {again.problem && <Banner tone="bad" role="alert" title={again.problem} />}
      <Button
        look="line"
        isBusy={again.isPending}
        busyLabel="Starting…"
        disabled={!isChanged}
        onClick={() => again.mutate({ ...options, columns: columnsOf(given, chosen), tier, keepsNotes })}
      >
        Read it again
      </Button>
    </details>
  )
}

function TierChoice({ tier, onChange }: { tier: TierSlug | null; onChange: (tier: TierSlug | null) => void }) {
  const tierName = useTierNames()
  return (
    <SelectField
      label="Tier of people with free access"
      hint="They can watch its videos until the day they’ve paid for. If there’s no such day, until you end it."
      value={tier ?? 'standard'}
      onChange={({ target }) => onChange(tierSlugs.find((slug) => slug === target.value) ?? null)}
    >
      {tierSlugs.map((slug) => (
        <option key={slug} value={slug}>
          {tierName(slug)}
        </option>
      ))}
    </SelectField>
  )
}

/** A field that was changed gets its chosen column, or the one that's left, or none. The others may go on being found by name. */
function columnsOf({ columns, options }: Import, chosen: Record<string, string>): ImportOptions['columns'] {
  const changed = columns.filter(({ heading }) => chosen[heading] !== undefined)
  const isTouched = (one: string) => changed.some(({ heading, field }) => field === one || chosen[heading] === one)
  const touched = memberImportFields.filter((one) => one !== 'note' && isTouched(one))
  const columnOf = (one: string) =>
    changed.find(({ heading }) => chosen[heading] === one) ??
    columns.find(({ heading, field }) => field === one && chosen[heading] === undefined)
  return { ...options.columns, ...Object.fromEntries(touched.map((one) => [one, columnOf(one)?.heading ?? ''])) }
}
