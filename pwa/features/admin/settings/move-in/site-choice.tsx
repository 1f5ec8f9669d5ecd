import { useState } from 'react'
import { useAdminAction } from '#pwa/features/admin/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { TextField } from '#pwa/ui/field.tsx'
import { Import, type ImportOptions } from '#shared/contract/imports.ts'

/** Where the pictures are, which Ghost's file doesn't say. */
export function SiteChoice({ given: { id, options, problem } }: { given: Import }) {
  const [site, setSite] = useState(options.site ?? '')
  const again = useAdminAction({
    schema: Import,
    send: (wanted: ImportOptions) => api.api.admin.imports({ id }).plan.post({ options: wanted }),
    failure: 'We couldn’t read the file again.',
    done: { title: 'Reading it again' },
  })
  const wanted = site.trim() === '' ? null : site.trim()
  return (
    <details className="numbers" open={problem !== null}>
      <summary>Your old site’s address</summary>
      <form
        className="movein__bar"
        onSubmit={(event) => {
          event.preventDefault()
          again.mutate({ ...options, site: wanted })
        }}
      >
        <TextField
          label="Address"
          inputMode="url"
          placeholder="example.com"
          value={site}
          onChange={({ target }) => setSite(target.value)}
        />
        <Button
          type="submit"
          look="line"
          isBusy={again.isPending}
          busyLabel="Starting…"
          disabled={wanted === options.site}
        >
          Read it again
        </Button>
      </form>
      {again.problem && <Banner tone="bad" role="alert" title={again.problem} />}
    </details>
  )
}
