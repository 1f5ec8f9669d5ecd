import { useState } from 'react'
import type { RowFormParts } from '#pwa/features/admin/kit/forms/row-form.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { PictureField } from './picture.tsx'

/** Closed while links show the post’s own picture, as most do. */
export function SharePicture({ values, errors }: Pick<RowFormParts, 'values' | 'errors'>) {
  const [isOpen, setOpen] = useState(Boolean(values.shareImage))
  if (!isOpen)
    return (
      <p>
        <Button look="bare" isSmall onClick={() => setOpen(true)}>
          Use another picture for sharing
        </Button>
      </p>
    )
  return (
    <PictureField
      label="Picture for sharing"
      name="shareImage"
      hint="Shown with links on WhatsApp, Facebook and the like."
      values={values}
      error={errors.shareImage}
    />
  )
}
