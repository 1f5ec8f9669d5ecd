import { type ComponentProps, type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import './styles/field.css'

type Around = { label: ReactNode; error?: string; hint?: ReactNode; className?: string }

/** What a control needs from its field: an id, and what says more about it. */
function useDescribed({ id, error, hint }: { id?: string; error?: string; hint?: ReactNode }) {
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

const FieldBox = ({ id, label, error, hint, className, children }: Around & { id: string; children: ReactNode }) => (
  <div className={className}>
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children}
    </div>
    <FieldNotes id={id} error={error} hint={hint} />
  </div>
)

export type TextFieldProps = ComponentProps<'input'> & Around

/** One line of text. `className` goes to the whole field (`f2`, `f3`, `f4` inside `fields`). */
export function TextField({ label, error, hint, className, id, type = 'text', ...rest }: TextFieldProps) {
  const described = useDescribed({ id, error, hint })
  return (
    <FieldBox id={described.id} label={label} error={error} hint={hint} className={className}>
      <input {...rest} {...described} type={type} />
    </FieldBox>
  )
}

export type TextAreaFieldProps = ComponentProps<'textarea'> & Around

/** Several lines of text. */
export function TextAreaField({ label, error, hint, className, id, ...rest }: TextAreaFieldProps) {
  const described = useDescribed({ id, error, hint })
  return (
    <FieldBox id={described.id} label={label} error={error} hint={hint} className={className}>
      <textarea {...rest} {...described} />
    </FieldBox>
  )
}

export type SelectFieldProps = ComponentProps<'select'> & Around

/** A choice from a list; the options are its children. */
export function SelectField({ label, error, hint, className, id, children, ...rest }: SelectFieldProps) {
  const described = useDescribed({ id, error, hint })
  return (
    <FieldBox id={described.id} label={label} error={error} hint={hint} className={className}>
      <select {...rest} {...described}>
        {children}
      </select>
    </FieldBox>
  )
}

export type CheckFieldProps = Omit<ComponentProps<'input'>, 'type'> & Around

/** A checkbox in a row of 56; `label` is what is agreed to. */
export function CheckField({ label, error, hint, className, id, ...rest }: CheckFieldProps) {
  const described = useDescribed({ id, error, hint })
  return (
    <div className={className}>
      <label className="check">
        <input {...rest} {...described} type="checkbox" />
        <span>{label}</span>
      </label>
      <FieldNotes id={described.id} error={error} hint={hint} />
    </div>
  )
}
