import * as v from 'valibot'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { upsert } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { siteSettings as table } from '#api/db/schema/site-settings.ts'
import { AppError, versionConflict } from '#api/errors.ts'
import { assertOwnerProven } from '#api/http/request-checks.ts'
import { invalidateResponses } from '#api/http/response-cache.ts'
import type { Owner } from '#api/http/session.ts'
import {
  type SettingChange,
  SettingLine,
  SettingName,
  type SiteSetting,
  settingOption,
} from '#shared/contract/site-settings.ts'
import { hasVatCheckDigits, isVatNumberShaped } from '#shared/rules/vat-number.ts'
import { storedSetting, storedSettings } from './queries.ts'
import { problemOf } from './service.ts'

type Row = typeof table.$inferSelect

export function listSettings(ctx: Context): SiteSetting[] {
  const rows = new Map(storedSettings.all(ctx).map((row) => [row.name, row]))
  return SettingName.options.map((name) => toSetting(ctx, name, rows.get(name)))
}

export const findSetting = (ctx: Context, name: SettingName): SiteSetting =>
  toSetting(ctx, name, storedSetting.get(ctx, { name }))

function toSetting(ctx: Context, name: SettingName, row: Row | undefined): SiteSetting {
  const locked = ctx.settings.site[name]
  const value = locked ?? row?.value ?? ''
  return {
    ...{ name, value, version: row?.version ?? 0, updatedAt: row?.updatedAt ?? null },
    source: locked !== undefined ? 'environment' : value === '' ? 'none' : 'database',
    problem: problemIn(name, value),
  }
}

/** A warning about a value. Accepts a wrong VAT number, because a firm may still be waiting for its own. */
function problemIn(name: SettingName, value: string): string | null {
  const problem = problemOf(name, value)
  if (problem !== null || name !== 'SELLER_VAT_NUMBER' || value === '') return problem
  if (!isVatNumberShaped(value)) return 'isn’t a UK VAT number: nine digits, such as GB 123 4567 89'
  return hasVatCheckDigits(value) ? null : 'has the wrong check digits. Compare it with your certificate'
}

/** Sending the same change again after a lost response isn't a conflict. Sensitive settings need a recent password check. */
export function changeSetting(
  ctx: Context,
  owner: Owner,
  { name, value, version }: SettingChange & { name: SettingName },
): SiteSetting {
  const changed = transact(ctx, () => {
    const current = findSetting(ctx, name)
    if (current.source === 'environment') throw lockedError(name)
    if (current.value === value) return current
    if (!settingOption(name).isPlain) assertOwnerProven(ctx, owner)
    if (version !== current.version) throw versionConflict({ sent: { value, version }, current })
    storeSetting(ctx, owner.actor, { name, value })
    return findSetting(ctx, name)
  })
  invalidateResponses(ctx)
  return changed
}

/** Call it in the caller's transaction. Refuses what doesn't fit. */
export function storeSetting(ctx: Context, actor: string, { name, value }: { name: SettingName; value: string }): void {
  const unfit = fitsItsLines(name, value) ? problemOf(name, value) : 'must be on one line'
  const problem = unfit ?? (isUnsafe(ctx, value) ? 'must start with https://' : null)
  if (problem !== null) {
    const sentence = `${name}: ${problem}.`
    throw new AppError('invalid', sentence, { fields: { value: sentence } })
  }
  const before = storedSetting.get(ctx, { name })
  const version = (before?.version ?? 0) + 1
  upsert(ctx, table, { name, value, version, updatedAt: ctx.now().toISOString() })
  audit(ctx, actor, 'setting.changed', { detail: { setting: name, from: before?.value ?? '', to: value } })
}

/** Names and the like go on one line of an invoice, page or mail. */
const fitsItsLines = (name: SettingName, value: string) =>
  settingOption(name).isLong === true || v.is(SettingLine, value)

/** On a live site, external pages and players must use HTTPS, or browsers refuse them. */
const isUnsafe = ({ settings }: Context, value: string) => !settings.isSandbox && /\bhttp:\/\//.test(value)

const lockedError = (name: SettingName) =>
  new AppError('conflict', `${name} is set in the server’s environment. Change it there.`)
