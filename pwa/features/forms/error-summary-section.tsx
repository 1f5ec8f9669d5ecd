import type { RefObject } from 'react'
import { Banner } from '#pwa/ui/banner.tsx'
import { plural } from '#shared/rules/plural.ts'
import { type FieldErrors, focusFirstError } from './use-field-errors.ts'

type Props = {
  formRef: RefObject<HTMLFormElement | null>
  errors: FieldErrors
  labels: Readonly<Record<string, string>>
}

/** What has to be put right, above the form; each line leads to its field. */
export function ErrorSummary({ formRef, errors, labels }: Props) {
  const wrong = Object.keys(labels).filter((name) => errors[name])
  if (wrong.length === 0) return null
  return (
    <Banner tone="bad" role="alert" title={`${plural(wrong.length, 'thing')} to put right`}>
      <ul className="error-summary">
        {wrong.map((name) => (
          <li key={name}>
            <button
              type="button"
              onClick={() => formRef.current && focusFirstError(formRef.current, { [name]: errors[name] })}
            >
              {labels[name]}: {errors[name]}
            </button>
          </li>
        ))}
      </ul>
    </Banner>
  )
}
