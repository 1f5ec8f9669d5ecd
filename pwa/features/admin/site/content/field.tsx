import { useQuery } from '@tanstack/react-query'
import { entryLabel, hintOf, labelOf } from '#pwa/features/admin/kit/content-texts.ts'
import { Button } from '#pwa/ui/button.tsx'
import { CheckField, SelectField, TextAreaField, TextField } from '#pwa/ui/field.tsx'
import { blankOf, type Field } from '#shared/contract/text-fields.ts'
import { placeholdersIn } from '#shared/rules/placeholders.ts'
import { nearestReadable, problemOfAccent, problemOfLink } from '#shared/values/brand-colours.ts'
import { ListField, VariantField } from './list-field.tsx'
import { PictureField } from './picture-field.tsx'
import { pageStateQuery } from './queries.ts'
import { type FieldProps, idOf, nameIn, newId } from './use-page-draft.ts'

const textOf = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

const labelIn = (path: string) =>
  /^\d+$/.test(nameIn(path)) ? `No. ${Number(nameIn(path)) + 1}` : labelOf(nameIn(path))

export function EntryField({ field, path, value, form }: FieldProps) {
  switch (field.kind) {
    case 'group':
      return <GroupField field={field} path={path} value={value} form={form} />
    case 'list':
      return <ListField field={field} path={path} value={value} form={form} Entry={EntryField} />
    case 'variants':
      return <VariantField field={field} path={path} value={value} form={form} Entry={EntryField} />
    case 'picture':
      return <PictureField field={field} path={path} value={value} form={form} />
    case 'switch':
      return <SwitchField field={field} path={path} value={value} form={form} />
    case 'choice':
      return <ChoiceField field={field} path={path} value={value} form={form} />
    case 'id':
      return null
    case 'text':
      return <TextEntryField field={field} path={path} value={value} form={form} />
    default:
      return <PlainField field={field} path={path} value={value} form={form} />
  }
}

type Of<Kind extends Field['kind']> = Extract<Field, { kind: Kind }>

/** A heading gets one line; a paragraph’s field grows. */
function TextEntryField({ field, path, value, form }: FieldProps<Of<'text'>>) {
  const text = textOf(value)
  const most = field.most ?? 5000
  const count = text.length > most * 0.7 || most <= 200 ? `${text.length} of ${most} characters.` : ''
  const links = field.hasLinks ? 'A link is [words](https://…), or [words](/path).' : ''
  const hint = [hintOf(path), links, count, useValuesHint(text)].filter(Boolean).join(' ')
  return (
    <TextAreaField
      id={idOf(path)}
      label={labelIn(path)}
      className="words__text"
      value={text}
      hint={hint || undefined}
      error={form.problems[path]}
      onFocus={() => form.onEnter(path)}
      onChange={({ target }) => form.change(path, target.value)}
    />
  )
}

/** What `{brand.name}` in a text reads as, and where to change it. */
function useValuesHint(text: string): string {
  const { data } = useQuery({ ...pageStateQuery('site'), enabled: text.includes('{') })
  return placeholdersIn(text, data?.value)
    .map(({ name, value }) => `For {${name}} we write “${value}”. Change that under ${entryLabel(name)}.`)
    .join(' ')
}

const types = { email: 'email', address: 'url', day: 'date', path: 'text', plain: 'text', colour: 'text' } as const

function PlainField({ field, path, value, form }: FieldProps<Of<keyof typeof types> | Of<'number'>>) {
  const isNumber = field.kind === 'number'
  return (
    <div className={field.kind === 'colour' ? 'words__colour' : undefined}>
      <TextField
        id={idOf(path)}
        label={labelIn(path)}
        type={isNumber ? 'number' : types[field.kind]}
        autoComplete="off"
        value={textOf(value)}
        hint={hintOf(path)}
        error={form.problems[path]}
        onFocus={() => form.onEnter(path)}
        onChange={({ target }) =>
          form.change(path, isNumber && target.value !== '' ? Number(target.value) : target.value)
        }
      />
      {field.kind === 'colour' && <Colour path={path} value={value} form={form} />}
    </div>
  )
}

/** A picker that says straight away whether the colour has enough contrast everywhere we use it. */
function Colour({ path, value, form }: Omit<FieldProps, 'field'>) {
  const colour = textOf(value).toLowerCase()
  const isColour = /^#[0-9a-f]{6}$/.test(colour)
  const problemOf = nameIn(path) === 'accent' ? problemOfAccent : problemOfLink
  const problem = isColour ? problemOf(colour) : null
  const nearest = problem === null ? null : nearestReadable(colour, problemOf)
  return (
    <>
      <input
        type="color"
        aria-label={`${labelIn(path)}: pick a colour`}
        value={isColour ? colour : '#ffffff'}
        onChange={({ target }) => form.change(path, target.value)}
      />
      <p className="second" role="status">
        {/* A refused one says why under its field already. */}
        {isColour && (problem === null ? 'Readable everywhere, by day and by night.' : !form.problems[path] && problem)}
      </p>
      {nearest && (
        <Button look="line" isSmall onClick={() => form.change(path, nearest)}>
          Use {nearest}, the nearest you can read
        </Button>
      )}
    </>
  )
}

const SwitchField = ({ path, value, form }: FieldProps<Of<'switch'>>) => (
  <CheckField
    id={idOf(path)}
    label={labelIn(path)}
    checked={value === true}
    error={form.problems[path]}
    // `isSample` is true or missing, never false.
    onChange={({ target }) =>
      form.change(path, target.checked || nameIn(path) !== 'isSample' ? target.checked : undefined)
    }
  />
)

const ChoiceField = ({ field, path, value, form }: FieldProps<Of<'choice'>>) => (
  <SelectField
    id={idOf(path)}
    label={labelIn(path)}
    value={textOf(value)}
    error={form.problems[path]}
    onChange={({ target }) => form.change(path, target.value)}
  >
    {field.options.map((option) => (
      <option key={option} value={option}>
        {labelOf(option)}
      </option>
    ))}
  </SelectField>
)

const isParts = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

export function GroupField({ field, path, value, form }: FieldProps<Of<'group'>>) {
  const parts = isParts(value) ? value : {}
  return (
    <div className="words__group">
      {field.entries.map((entry) => (
        <GroupEntry
          key={entry.name}
          entry={entry}
          path={path === '' ? entry.name : `${path}.${entry.name}`}
          value={parts[entry.name]}
          form={form}
        />
      ))}
    </div>
  )
}

type GroupEntryProps = Omit<FieldProps, 'field'> & { entry: Of<'group'>['entries'][number] }

function GroupEntry({ entry: { name, field, isOptional }, path, value, form }: GroupEntryProps) {
  const Entry = isOptional ? OptionalField : EntryField
  const isSimple = field.kind !== 'group' && field.kind !== 'list' && field.kind !== 'variants'
  const entry = <Entry field={field} path={path} value={value} form={form} />
  if (isSimple) return <div>{entry}</div>
  return (
    <fieldset id={idOf(path)}>
      <legend>{labelOf(name)}</legend>
      {entry}
    </fieldset>
  )
}

function OptionalField({ field, path, value, form }: FieldProps) {
  const label = labelOf(nameIn(path))
  // Owners can only take the sample mark away.
  if (field.kind === 'switch')
    return value === undefined ? null : <EntryField field={field} path={path} value={value} form={form} />
  if (value === undefined) {
    return (
      <Button look="line" isSmall onClick={() => form.change(path, blankOf(field, newId))}>
        Add: {label}
      </Button>
    )
  }
  return (
    <>
      <EntryField field={field} path={path} value={value} form={form} />
      <Button look="bare" isSmall onClick={() => form.change(path, undefined)}>
        Remove: {label}
      </Button>
    </>
  )
}
