import { type ReactNode, useId } from 'react'
import { Icon } from './icon.tsx'
import './styles/field.css'

type Props = { label: string; error?: string; isFocused?: boolean; className?: string; children: ReactNode }

/** A form box around a control that another site draws in a frame, such as the card number. */
export const FrameField = ({ label, error, isFocused, className, children }: Props) => {
  const id = useId()
  return (
    <div className={className}>
      <fieldset
        className="field field--frame"
        data-focused={isFocused || undefined}
        data-invalid={error ? true : undefined}
        aria-labelledby={id}
        aria-describedby={error ? `${id}-error` : undefined}
      >
        <span className="field__label" id={id}>
          {label}
        </span>
        <div className="field__frame">{children}</div>
      </fieldset>
      {error && (
        <p className="field__err" id={`${id}-error`} role="alert">
          <Icon name="cross" />
          {error}
        </p>
      )}
    </div>
  )
}
