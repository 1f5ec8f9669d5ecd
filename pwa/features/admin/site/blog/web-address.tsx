import { type RefObject, useState } from 'react'
import type { FormValues } from '#pwa/features/admin/kit/forms/draft-storage.ts'
import { RequiredLabel } from '#pwa/features/forms/form-fields.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { TextField } from '#pwa/ui/field.tsx'
import { slugOf } from '#shared/values/posts.ts'

type SlugProps = {
  values: FormValues
  error: string | undefined
  ref: RefObject<HTMLInputElement | null>
  /** What the closed field shows. */
  slug: string
  isOpen: boolean
  onSlug: (slug: string) => void
}

/** Closed, it shows the address; it opens on a press, and for an error. */
export function SlugField({ values, error, ref, slug, isOpen, onSlug }: SlugProps) {
  const [isChanging, setChanging] = useState(isOpen)
  // It stays open once the error is gone, while they type in it.
  if (error !== undefined && !isChanging) setChanging(true)
  return (
    <>
      {!isChanging && (
        <p>
          {slug === '' ? 'We make the web address from the title.' : `Web address: /blog/${slug}`}{' '}
          <Button look="bare" isSmall onClick={() => setChanging(true)}>
            Change the address
          </Button>
        </p>
      )}
      <div hidden={!isChanging}>
        <TextField
          ref={ref}
          label={<RequiredLabel label="Slug (web address)" />}
          name="slug"
          required
          autoComplete="off"
          spellCheck={false}
          hint="The end of its web address: /blog/… If you change it, old links still work."
          defaultValue={values.slug}
          error={error}
          onBlur={({ currentTarget }) => {
            currentTarget.value = slugOf(currentTarget.value)
            onSlug(currentTarget.value)
          }}
        />
      </div>
    </>
  )
}
