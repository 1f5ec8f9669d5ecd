import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { imports } from '#api/db/schema/imports.ts'
import { AppError, notFound } from '#api/errors.ts'
import { hashesOf } from '#api/features/media/store-service.ts'
import { arrivedBytes, findUpload, forgetUpload, uploadFile } from '#api/features/media/upload-service.ts'
import { assertTier, assertTiers } from '#api/features/tiers/service.ts'
import type { Owner } from '#api/identity/person.ts'
import { busyImportStates, type Import, type ImportOptions, type NewImport } from '#shared/contract/imports.ts'
import { hasFile, removeFile, takeFile } from './files-service.ts'
import { findKind } from './kinds-service.ts'
import { dropAddresses } from './named-rows-queries.ts'
import {
  describeImport,
  describeImports,
  findImport,
  findSame,
  listStored,
  type StoredImport,
  setState,
  withoutSamples,
} from './queries.ts'
import { lastTierChoices } from './tier-choices-queries.ts'
import { wakeImports } from './wake-service.ts'

export const listImports = (ctx: Context): Import[] => describeImports(ctx, listStored(ctx))

export const readImport = (ctx: Context, id: string): Import => describeImport(ctx, ownImport(ctx, id))

export function ownImport(ctx: Context, id: string): StoredImport {
  const row = findImport(ctx, id)
  if (row === undefined) throw notFound('This import')
  return row
}

/** Begins to plan. The same file with the same options is the same import, however often it's started. */
export async function beginImport(ctx: Context, owner: Owner, begun: NewImport): Promise<Import> {
  const { kind, upload } = begun
  const options = optionsOf(ctx, begun)
  const file = upload === null ? null : await uploadedFile(ctx, upload)
  return transact(ctx, () => {
    const fileHash = file?.sha256 ?? null
    const same = findSame(ctx, { kind, fileHash, options })
    if (same !== undefined && (fileHash !== null || same.state !== 'applied')) {
      // A restored backup and a rehearsal's copy have the plan, and not its file.
      if (file !== null && same.state !== 'applied' && !hasFile(ctx, same.id)) takeFile(ctx, same.id, file.path)
      if (upload !== null) forgetUpload(ctx, upload)
      if (fileHash === null) readAgain(ctx, same)
      return readImport(ctx, same.id)
    }
    const id = ctx.newId()
    if (file !== null && upload !== null) {
      takeFile(ctx, id, file.path)
      forgetUpload(ctx, upload)
    }
    insertRow(ctx, imports, {
      id,
      kind,
      fileName: file?.name ?? null,
      fileHash,
      options,
      state: 'planning',
      columns: [],
      facts: {},
      startedBy: owner.userId,
      createdAt: ctx.now().toISOString(),
    })
    audit(ctx, owner.actor, 'import.planned', { targetId: id, detail: { kind, file: file?.name ?? null } })
    wakeImports(ctx)
    return readImport(ctx, id)
  })
}

/** What an owner chose for a price last time goes on, unless they choose again. */
function optionsOf(ctx: Context, { kind, options }: NewImport): ImportOptions {
  assertOptionTiers(ctx, options)
  return kind === 'stripe' ? { ...options, tiers: { ...lastTierChoices(ctx), ...options.tiers } } : options
}

function assertOptionTiers(ctx: Context, { tier, tiers }: ImportOptions): void {
  if (tier !== null) assertTier(ctx, 'tier', tier)
  assertTiers(
    ctx,
    'tiers',
    Object.values(tiers).filter((choice) => choice !== 'none'),
  )
}

/** An account at Stripe changes, unlike a file. The same plan is made of it again. */
function readAgain(ctx: Context, { id }: StoredImport): void {
  if (setState(ctx, id, 'planned', { state: 'planning', problem: null })) wakeImports(ctx)
}

async function uploadedFile(ctx: Context, id: string) {
  const row = findUpload(ctx, id)
  if (!row.isImport) throw notFound('This upload')
  const arrived = arrivedBytes(ctx, id) ?? 0
  if (arrived !== row.bytes)
    throw new AppError('conflict', `${arrived} of ${row.bytes} bytes have arrived. Send the file again.`)
  const path = uploadFile(ctx, id)
  return { path, name: row.name, ...(await hashesOf(path)) }
}

/** Reads the file again with other options. */
export function replanImport(ctx: Context, owner: Owner, id: string, options: ImportOptions): Import {
  return change(ctx, id, (row) => {
    assertPlanned(ctx, row)
    assertOptionTiers(ctx, options)
    setState(ctx, id, 'planned', { state: 'planning', options, problem: null })
    audit(ctx, owner.actor, 'import.planned', { targetId: id, detail: { kind: row.kind, file: row.fileName } })
  })
}

/** Safe to repeat: once it's under way or done, a second call changes nothing. */
export function applyImport(ctx: Context, owner: Owner, id: string): Import {
  return change(ctx, id, (row) => {
    if (row.state === 'applying' || row.state === 'applied') return
    assertPlanned(ctx, row)
    if (row.problem !== null) throw new AppError('conflict', row.problem)
    if (row.options.rehearses)
      throw new AppError('conflict', 'This was a rehearsal. Read Stripe again without it to adopt.')
    setState(ctx, id, 'planned', { state: 'applying', columns: withoutSamples(row) })
    if (row.kind === 'stripe') dropAddresses(ctx, id)
    audit(ctx, owner.actor, 'import.applied', { targetId: id, detail: { kind: row.kind, file: row.fileName } })
  })
}

function assertPlanned(ctx: Context, { id, kind, state, fileName }: StoredImport): void {
  if (busyImportStates.includes(state)) throw new AppError('conflict', 'We’re still working on this import.')
  if (state !== 'planned')
    throw new AppError(
      'conflict',
      state === 'applied' ? 'You’ve already moved this in.' : 'This plan is closed. Choose the file again.',
    )
  const isLost = fileName !== null && !hasFile(ctx, id)
  if (findKind(kind) === undefined || isLost)
    throw new AppError('conflict', 'We don’t have the file any more. Choose it again.')
}

export function cancelImport(ctx: Context, owner: Owner, id: string): Import {
  return change(ctx, id, (row) => {
    const { kind, state, fileName } = row
    if (state === 'cancelled') return
    if (state !== 'planned' && state !== 'planning') throw new AppError('conflict', 'It’s under way. Undo it instead.')
    setState(ctx, id, state, { state: 'cancelled', columns: withoutSamples(row) })
    if (kind === 'stripe') dropAddresses(ctx, id)
    removeFile(ctx, id)
    audit(ctx, owner.actor, 'import.cancelled', { targetId: id, detail: { kind, file: fileName } })
  })
}

/** Takes back what the import made and no one has used since. One that's under way stops first. */
export function undoImport(ctx: Context, owner: Owner, id: string): Import {
  return change(ctx, id, ({ kind, state, fileName }) => {
    if (state === 'undoing' || state === 'undone') return
    if (state !== 'applied' && state !== 'applying') throw new AppError('conflict', 'There’s nothing to undo yet.')
    setState(ctx, id, state, { state: 'undoing' })
    removeFile(ctx, id)
    audit(ctx, owner.actor, 'import.undone', { targetId: id, detail: { kind, file: fileName } })
  })
}

function change(ctx: Context, id: string, work: (row: StoredImport) => void): Import {
  return transact(ctx, () => {
    work(ownImport(ctx, id))
    wakeImports(ctx)
    return readImport(ctx, id)
  })
}
