import type { ReactNode } from 'react'
import * as v from 'valibot'
import type { parseResponse } from '#pwa/lib/api.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
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
    <ConfirmDialog
      title={`Delete “${row.title}”?`}
      button={changed.success ? 'Delete it all the same' : `Delete ${what}`}
      busy="Deleting…"
      {...{ action, onClose }}
      more={changed.success && nowIs(changed.output)}
      onConfirm={() => action.mutate((changed.success ? changed.output : row).version)}
    >
      <p>{children}</p>
    </ConfirmDialog>
  )
}
