import type { ReactNode } from 'react'
import * as v from 'valibot'
import type { parseResponse } from '#pwa/lib/api.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { useAdminAction } from './use-admin-action.ts'

type Row = { title: string; version: number }

type Props<Schema extends v.GenericSchema<unknown, Row>> = {
  /** `video`, `blog post`. */
  what: string
  row: Row
  schema: Schema
  removed: v.GenericSchema
  send: (version: number) => Parameters<typeof parseResponse>[1]
  /** What to call the row as the other owner has left it. */
  nowIs: (row: v.InferOutput<Schema>) => string
  onClose: () => void
  children: ReactNode
}

/** Asks before something is deleted for ever. Where it was changed meanwhile, it says how, and asks again. */
export function DeleteDialog<Schema extends v.GenericSchema<unknown, Row>>(props: Props<Schema>) {
  const { what, row, schema, removed, send, nowIs, onClose, children } = props
  const action = useAdminAction({
    schema: removed,
    send,
    failure: `Failed to delete ${what}`,
    done: { title: `${what.charAt(0).toUpperCase()}${what.slice(1)} deleted`, description: row.title },
    onDone: onClose,
  })
  const changed = v.safeParse(schema, action.error instanceof RequestError ? action.error.versions?.current : undefined)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Delete “${row.title}”?`}
      footer={
        <>
          <Button
            look="bad"
            isBusy={action.isPending}
            busyLabel="Deleting…"
            onClick={() => action.mutate((changed.success ? changed.output : row).version)}
          >
            {changed.success ? 'Delete it all the same' : `Delete ${what}`}
          </Button>
          <Button look="line" onClick={onClose}>
            Keep it
          </Button>
        </>
      }
    >
      <p>{children}</p>
      {action.problem && (
        <Banner tone="bad" role="alert" title={action.problem}>
          {changed.success && nowIs(changed.output)}
        </Banner>
      )}
    </Dialog>
  )
}
