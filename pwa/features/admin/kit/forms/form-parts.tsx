import { Fragment, type ReactNode } from 'react'
import { RequiredLabel } from '#pwa/features/forms/form-fields.tsx'
import { DateTimeField } from '#pwa/ui/date-field.tsx'
import {
  CheckField,
  SelectField,
  type SelectFieldProps,
  TextAreaField,
  type TextAreaFieldProps,
  TextField,
  type TextFieldProps,
} from '#pwa/ui/field.tsx'
import { formatMoment, momentTyped, readTypedMoment } from '#shared/rules/london.ts'
import type { FormValues } from './draft-storage.ts'
import type { RowFormParts } from './row-form.tsx'

type Shown = Pick<RowFormParts, 'values' | 'errors'>

/** One field of a row's form, defined once: how it's drawn, filled, read into the request and compared with another owner's. */
export type FormPart<Given = object> = {
  name: string
  label: string
  draw: (parts: Shown) => ReactNode
  fill: (row: Given) => FormValues
  read: (typed: FormValues) => Record<string, unknown>
  text: (row: Given) => string
}

/** `Given` is what the row and its request have in common. */
export function formOf<Given>(parts: readonly FormPart<Given>[]) {
  return {
    valuesOf: (row: Given & { version: number }): FormValues =>
      Object.assign({ version: String(row.version) }, ...parts.map(({ fill }) => fill(row))),
    read: (typed: FormValues): object => Object.assign({}, ...parts.map(({ read }) => read(typed))),
    compared: parts.map(({ label, text }) => [label, text] as const),
    draw: (shown: Shown) => parts.map(({ name, draw }) => <Fragment key={name}>{draw(shown)}</Fragment>),
  }
}

/** Null and undefined are empty. */
function textIn(row: object, name: string): string {
  const value: unknown = Reflect.get(row, name)
  return value === null || value === undefined ? '' : String(value)
}

const asTyped = (name: string, label: string) => ({
  name,
  label,
  fill: (row: object) => ({ [name]: textIn(row, name) }),
  read: (typed: FormValues): Record<string, unknown> => ({ [name]: typed[name] }),
  text: (row: object) => textIn(row, name),
})

const labelOf = (label: string, required = false) => (required ? <RequiredLabel label={label} /> : label)

export const lineField = (name: string, label: string, props: Omit<TextFieldProps, 'label'> = {}): FormPart => ({
  ...asTyped(name, label),
  draw: ({ values, errors }) => (
    <TextField
      autoComplete="off"
      {...props}
      label={labelOf(label, props.required)}
      name={name}
      defaultValue={values[name]}
      error={errors[name]}
    />
  ),
})

export const textField = (name: string, label: string, props: Omit<TextAreaFieldProps, 'label'>): FormPart => ({
  ...asTyped(name, label),
  draw: ({ values, errors }) => (
    <TextAreaField
      {...props}
      label={labelOf(label, props.required)}
      name={name}
      defaultValue={values[name]}
      error={errors[name]}
    />
  ),
})

/** `labels`: what each value is called, in the order of the list. */
export const choiceField = (
  name: string,
  label: string,
  labels: Readonly<Record<string, string>>,
  props: Omit<SelectFieldProps, 'label'> = {},
): FormPart => ({
  ...asTyped(name, label),
  draw: ({ values, errors }) => (
    <SelectField
      {...props}
      label={labelOf(label, props.required)}
      name={name}
      defaultValue={values[name]}
      error={errors[name]}
    >
      {Object.entries(labels).map(([value, said]) => (
        <option key={value} value={value}>
          {said}
        </option>
      ))}
    </SelectField>
  ),
  text: (row) => labels[textIn(row, name)] ?? '',
})

/** A whole number, or null for an empty field. */
export const numberField = (name: string, label: string, props: Omit<TextFieldProps, 'label'> = {}): FormPart => ({
  ...lineField(name, label, { inputMode: 'numeric', ...props }),
  read: (typed) => ({ [name]: typed[name] ? Number(typed[name]) : null }),
})

/** Leaves anything that isn’t a day and time for the schema to refuse. */
export const momentIn = (typed: string | undefined): string | null => (typed ? (readTypedMoment(typed) ?? typed) : null)

type MomentProps = Pick<TextFieldProps, 'hint' | 'required'>

/** UK time, whatever the device’s time zone; the API uses UTC. An empty field is null, unless it's required. */
export const momentField = (name: string, label: string, props: MomentProps = {}): FormPart => ({
  ...asTyped(name, label),
  draw: ({ values, errors }) => (
    <DateTimeField
      className="f3"
      hint={props.hint}
      required={props.required}
      label={labelOf(`${label} (UK time)`, props.required)}
      name={name}
      defaultValue={values[name]}
      error={errors[name]}
    />
  ),
  fill: (row) => ({ [name]: textIn(row, name) && momentTyped(textIn(row, name)) }),
  read: (typed) => ({ [name]: momentIn(typed[name]) ?? (props.required ? '' : null) }),
  text: (row) => formatMoment(textIn(row, name) || null),
})

type Words = { label: string; yes: string; no: string }

/** `field`: the tick box’s own text. */
export const checkField = (name: string, field: string, { label, yes, no }: Words): FormPart => ({
  name,
  label,
  draw: ({ values, errors }) => (
    <CheckField className="f3" label={field} name={name} defaultChecked={values[name] === 'on'} error={errors[name]} />
  ),
  fill: (row) => (Reflect.get(row, name) === true ? { [name]: 'on' } : {}),
  read: (typed) => ({ [name]: typed[name] === 'on' }),
  text: (row) => (Reflect.get(row, name) === true ? yes : no),
})
