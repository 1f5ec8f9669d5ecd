import type { ReactNode } from 'react'
import * as v from 'valibot'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import type { parseResponse } from '#pwa/lib/api.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { KeepButton } from '#pwa/ui/keep-button.tsx'

type Props = {
  title: string
  /** Null: nothing to confirm, so no button. `busy` is its text while it’s working. */
  button: string | null
  busy: string
  /** The cancel button’s text. */
  keep?: string
  look?: 'bad' | 'ink'
  isDisabled?: boolean
  action: { isPending: boolean; problem: string | null }
  more?: ReactNode
  onConfirm: () => void
  onClose: () => void
  children: ReactNode
}

export function ConfirmDialog(props: Props) {
  const { title, button, busy, keep = 'Keep it', look = 'bad', isDisabled, action, onConfirm, onClose } = props
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      footer={
        <>
          {button !== null && (
            <Button look={look} isBusy={action.isPending} busyLabel={busy} disabled={isDisabled} onClick={onConfirm}>
              {button}
            </Button>
          )}
          <KeepButton isBusy={action.isPending} onClick={onClose}>
            {keep}
          </KeepButton>
        </>
      }
    >
      {props.children}
      {action.problem && (
        <Banner tone="bad" role="alert" title={action.problem}>
          {props.more}
        </Banner>
      )}
    </Dialog>
  )
}

type Row = { title: string; version: number }

type DeleteProps<Schema extends v.GenericSchema<unknown, Row>> = {
  /** Such as `video` or `blog post`. */
  what: string
  row: Row
  schema: Schema
  removed: v.GenericSchema
  send: (version: number) => Parameters<typeof parseResponse>[1]
  /** Names the row as the other owner left it. */
  nowIs: (row: v.InferOutput<Schema>) => string
  onClose: () => void
  children: ReactNode
}

/** If the row has changed since, says how and asks again. */
export function DeleteDialog<Schema extends v.GenericSchema<unknown, Row>>(props: DeleteProps<Schema>) {
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
      button={changed.success ? 'Delete it anyway' : `Delete ${what}`}
      busy="Deleting…"
      action={action}
      onClose={onClose}
      more={changed.success && nowIs(changed.output)}
      onConfirm={() => action.mutate((changed.success ? changed.output : row).version)}
    >
      <p>{children}</p>
    </ConfirmDialog>
  )
}
