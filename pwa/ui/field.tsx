import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import { useGrowing } from './use-growing.ts'
import './styles/field.css'

type FieldProps = { label: ReactNode; error?: string; hint?: ReactNode; className?: string }

/** Ties a control to its label, hint and error, so that a screen reader reads them together. */
function useFieldAttributes({ id, error, hint }: { id?: string; error?: string; hint?: ReactNode }) {
  const made = useId()
  const own = id ?? made
  const describedBy = classNames(hint ? `${own}-hint` : '', error && `${own}-error`) || undefined
  return { id: own, 'aria-describedby': describedBy, 'aria-invalid': error ? true : undefined }
}

const FieldNotes = ({ id, error, hint }: { id: string; error?: string; hint?: ReactNode }) => (
  <>
    {hint && (
      <p className="second field__hint" id={`${id}-hint`}>
        {hint}
      </p>
    )}
    {error && (
      <p className="field__err" id={`${id}-error`}>
        <Icon name="cross" />
        {error}
      </p>
    )}
  </>
)

const FieldBox = ({
  id,
  label,
  error,
  hint,
  className,
  children,
}: FieldProps & { id: string; children: ReactNode }) => (
  <div className={className}>
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children}
    </div>
    <FieldNotes id={id} error={error} hint={hint} />
  </div>
)

export type TextFieldProps = ComponentProps<'input'> & FieldProps

/** One line of text. `className` goes on the whole field (`f2`, `f3`, `f4` inside `fields`). */
export function TextField({ label, error, hint, className, id, type = 'text', ...rest }: TextFieldProps) {
  const attributes = useFieldAttributes({ id, error, hint })
  return (
    <FieldBox id={attributes.id} label={label} error={error} hint={hint} className={className}>
      <input {...rest} {...attributes} type={type} />
    </FieldBox>
  )
}

export type TextAreaFieldProps = ComponentProps<'textarea'> & FieldProps

export function TextAreaField({ label, error, hint, className, id, ...rest }: TextAreaFieldProps) {
  const attributes = useFieldAttributes({ id, error, hint })
  useGrowing(attributes.id)
  return (
    <FieldBox id={attributes.id} label={label} error={error} hint={hint} className={className}>
      <textarea {...rest} {...attributes} />
    </FieldBox>
  )
}

export type SelectFieldProps = ComponentProps<'select'> & FieldProps

export function SelectField({ label, error, hint, className, id, children, ...rest }: SelectFieldProps) {
  const attributes = useFieldAttributes({ id, error, hint })
  return (
    <FieldBox id={attributes.id} label={label} error={error} hint={hint} className={className}>
      <select {...rest} {...attributes}>
        {children}
      </select>
    </FieldBox>
  )
}

export type CheckFieldProps = Omit<ComponentProps<'input'>, 'type'> & FieldProps

/** A checkbox in a row of 56; `label` is what you agree to. */
export function CheckField({ label, error, hint, className, id, ...rest }: CheckFieldProps) {
  const attributes = useFieldAttributes({ id, error, hint })
  return (
    <div className={className}>
      <label className="check">
        <input {...rest} {...attributes} type="checkbox" />
        <span>{label}</span>
      </label>
      <FieldNotes id={attributes.id} error={error} hint={hint} />
    </div>
  )
}

/** An email address, with the right keyboard and autofill on a phone. */
export const EmailField = (props: Omit<TextFieldProps, 'type' | 'label'> & { label?: ReactNode }) => (
  <TextField
    label="Email"
    name="email"
    autoComplete="username"
    inputMode="email"
    autoCapitalize="none"
    spellCheck={false}
    {...props}
    type="email"
  />
)

/** A password, hidden until the person chooses to see it. */
export function PasswordField(props: Omit<TextFieldProps, 'type'>) {
  const [isShown, show] = useState(false)
  return (
    <div>
      <TextField {...props} type={isShown ? 'text' : 'password'} autoCapitalize="none" spellCheck={false} />
      <CheckField label="Show password" checked={isShown} onChange={({ target }) => show(target.checked)} />
    </div>
  )
}
