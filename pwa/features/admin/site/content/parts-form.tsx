import { useState } from 'react'
import { Badge } from '#pwa/ui/badge.tsx'
import type { Field } from '#shared/contract/text-fields.ts'
import { isWithin, type Override } from '#shared/rules/overrides.ts'
import { labelOf } from './content-texts.ts'
import { EntryField, GroupField } from './field.tsx'
import type { Form } from './use-page-draft.ts'

type Props = {
  field: Field
  value: unknown
  form: Form
  /** Show only this part; undefined shows all. */
  part: string | undefined
  /** The text last pressed in the frame, and when: its part unfolds. */
  opened: { path: string; at: number } | null
  changed: readonly Override[]
}

type Entry = Extract<Field, { kind: 'group' }>['entries'][number]

const isParts = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isLarge = ({ field: { kind } }: Entry) => kind === 'group' || kind === 'list' || kind === 'variants'

export function PartsForm({ field, value, form, part, opened, changed }: Props) {
  if (field.kind !== 'group') return null
  const parts = isParts(value) ? value : {}
  const wanted = field.entries.filter(({ name }) => part === undefined || name === part)
  const entries = wanted.length === 0 ? field.entries : wanted
  const single = entries.filter((entry) => !isLarge(entry))
  const large = entries.filter(isLarge)
  const isOnly = large.length === 1 && single.length === 0
  return (
    // Drafts save themselves, so there’s nothing to submit.
    <form className="words__form" aria-label="Content" onSubmit={(event) => event.preventDefault()}>
      {single.length > 0 && <GroupField field={{ kind: 'group', entries: single }} path="" value={value} form={form} />}
      {large.map((entry) => (
        <Part
          key={entry.name}
          {...{ entry, form }}
          value={parts[entry.name]}
          isOpen={isOnly}
          openedAt={opened !== null && isWithin(opened.path, entry.name) ? opened.at : null}
          isChanged={changed.some((one) => isWithin(one.entry, entry.name))}
          isFaulty={Object.keys(form.problems).some((problem) => isWithin(problem, entry.name))}
        />
      ))}
    </form>
  )
}

type PartProps = {
  entry: Entry
  value: unknown
  form: Form
  isOpen: boolean
  openedAt: number | null
  isChanged: boolean
  isFaulty: boolean
}

function Part({ entry, value, form, isOpen, openedAt, isChanged, isFaulty }: PartProps) {
  const { name, field, isOptional } = entry
  const [unfolded, setUnfolded] = useState<{ isUnfolded: boolean; openedAt: number | null }>({
    isUnfolded: isOpen,
    openedAt: null,
  })
  const { isUnfolded } = unfolded
  // During this render, not in an effect: the field must exist when `usePressedField` focuses it.
  if (openedAt !== null && unfolded.openedAt !== openedAt) setUnfolded({ isUnfolded: true, openedAt })
  const fold = (isNow: boolean) => setUnfolded({ isUnfolded: isNow, openedAt })
  return (
    <details className="words__part" open={isUnfolded} onToggle={({ currentTarget }) => fold(currentTarget.open)}>
      <summary>
        <h3>{labelOf(name)}</h3> {isChanged && <Badge tone="wait">In your draft</Badge>}{' '}
        {isFaulty && <Badge tone="bad">Check this</Badge>}
      </summary>
      {isUnfolded &&
        (isOptional ? (
          <GroupField
            field={{ kind: 'group', entries: [{ name, field, isOptional }] }}
            path=""
            value={{ [name]: value }}
            form={form}
          />
        ) : (
          <EntryField field={field} path={name} value={value} form={form} />
        ))}
    </details>
  )
}
