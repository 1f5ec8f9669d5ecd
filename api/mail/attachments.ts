import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { documentPdf } from '#api/features/invoices/document-service.ts'
import type { Attachment } from './mailer.ts'

const MailAttachment = v.object({ kind: v.picklist(['invoice', 'credit_note']), id: v.string() })

/** What a row of the outbox names as going with its mail. An issued document never changes, so each repeat carries the same. */
export const attachmentOf = (json: string) => v.parse(MailAttachment, JSON.parse(json))

/** The document itself, made now. */
export async function makeAttachment(ctx: Context, json: string): Promise<Attachment> {
  const pdf = await documentPdf(ctx, attachmentOf(json))
  if (pdf === null) throw new Error('The document that goes with this mail is missing.')
  return { fileName: pdf.fileName, contentType: 'application/pdf', bytes: pdf.bytes }
}
