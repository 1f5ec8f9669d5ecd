import * as v from 'valibot'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { upsert } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { siteSettings as table } from '#api/db/schema/site-settings.ts'
import { AppError, versionConflict } from '#api/errors.ts'
import type { Owner } from '#api/identity/person.ts'
import { assertOwnerProven } from '#api/identity/proof.ts'
import { invalidateResponses } from '#api/serving/kept-answers.ts'
import { problemOf } from '#api/site/settings.ts'
import { storedSetting, storedSettings } from '#api/site/settings-queries.ts'
import {
  type SettingChange,
  type SettingGroup,
  type SettingGroupChange,
  SettingLine,
  SettingName,
  type SiteSetting,
  type SiteSettingGroup,
  settingOption,
} from '#shared/contract/site-settings.ts'
import { hasVatCheckDigits, isVatNumberShaped } from '#shared/rules/vat-number.ts'

type Row = typeof table.$inferSelect

export function listSettings(ctx: Context): SiteSetting[] {
  const rows = new Map(storedSettings.all(ctx).map((row) => [row.name, row]))
  return SettingName.options.map((name) => toSetting(ctx, name, rows.get(name)))
}

const findSetting = (ctx: Context, name: SettingName): SiteSetting =>
  toSetting(ctx, name, storedSetting.get(ctx, { name }))

function toSetting(ctx: Context, name: SettingName, row: Row | undefined): SiteSetting {
  const locked = ctx.settings.site[name]
  const value = locked ?? row?.value ?? ''
  return {
    name,
    value,
    version: row?.version ?? 0,
    updatedAt: row?.updatedAt ?? null,
    source: locked !== undefined ? 'environment' : value === '' ? 'none' : 'database',
    problem: problemIn(name, value),
  }
}

/** A warning about a value. Accepts wrong numbers, because a firm may still be waiting for its own. */
function problemIn(name: SettingName, value: string): string | null {
  const problem = problemOf(name, value)
  if (problem !== null || value === '') return problem
  if (name === 'SELLER_COMPANY_NUMBER' && !isCompanyNumber(value)) {
    return 'isn’t a company number: eight characters, such as 01234567 or SC123456. If you’re a sole trader, write: none'
  }
  if (name !== 'SELLER_VAT_NUMBER') return null
  if (!isVatNumberShaped(value)) return 'isn’t a UK VAT number: nine digits, such as GB 123 4567 82'
  return hasVatCheckDigits(value) ? null : 'looks mistyped. Compare it with your certificate'
}

const isCompanyNumber = (value: string) => /^(none|[a-z0-9]{8})$/i.test(value.replace(/\s/g, ''))

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
    const misfit = findMisfit(ctx, { name, value })
    if (misfit !== null) throw misfitError(`${name}: ${misfit}.`)
    storeSetting(ctx, owner.actor, { name, value })
    return findSetting(ctx, name)
  })
  invalidateResponses(ctx)
  return changed
}

/** All or none of them: fields that don't fit are named together. */
export function changeSettingGroup(
  ctx: Context,
  owner: Owner,
  { group, version, ...values }: SettingGroupChange & { group: SettingGroup },
): SiteSettingGroup {
  const changed = transact(ctx, () => {
    const current = findSettingGroup(ctx, group)
    const changes = SettingName.options.flatMap((name) => {
      const value = values[name]
      return value === undefined || value === findSetting(ctx, name).value ? [] : [{ name, value }]
    })
    if (changes.length === 0) return current
    const stray = changes.find(({ name }) => settingOption(name).group !== group)
    if (stray) throw new AppError('invalid', `${stray.name} isn’t one of these settings.`)
    const locked = current.settings.find(
      ({ name, source }) => source === 'environment' && changes.some((one) => one.name === name),
    )
    if (locked) throw lockedError(locked.name)
    if (changes.some(({ name }) => !settingOption(name).isPlain)) assertOwnerProven(ctx, owner)
    if (version !== current.version) throw versionConflict({ sent: { ...values, version }, current })
    assertFits(ctx, changes)
    for (const change of changes) storeSetting(ctx, owner.actor, change)
    return findSettingGroup(ctx, group)
  })
  invalidateResponses(ctx)
  return changed
}

function findSettingGroup(ctx: Context, group: SettingGroup): SiteSettingGroup {
  const settings = listSettings(ctx).filter(({ name }) => settingOption(name).group === group)
  return { version: settings.reduce((sum, { version }) => sum + version, 0), settings }
}

export type SettingValue = { name: SettingName; value: string }

/** A form says each sentence at its field, so it names no variable. */
function assertFits(ctx: Context, values: readonly SettingValue[]): void {
  const problems = values.flatMap((one) => {
    const problem = findMisfit(ctx, one)
    return problem === null ? [] : [[one.name, `It ${problem}.`] as const]
  })
  const [first] = problems
  if (first) throw new AppError('invalid', first[1], { fields: Object.fromEntries(problems) })
}

function storeSetting(ctx: Context, actor: string, { name, value }: SettingValue): void {
  const before = storedSetting.get(ctx, { name })
  const version = (before?.version ?? 0) + 1
  upsert(ctx, table, { name, value, version, updatedAt: ctx.now().toISOString() })
  audit(ctx, actor, 'setting.changed', { detail: { setting: name, from: before?.value ?? '', to: value } })
}

/** Why we won't store this value; null if we will. */
export function findMisfit(ctx: Context, { name, value }: SettingValue): string | null {
  const misfit = fitsItsLines(name, value) ? problemOf(name, value) : 'must be on one line'
  return misfit ?? (isUnsafe(ctx, value) ? 'must start with https://' : null)
}

/** Names and the like go on one line of an invoice, page or mail. */
const fitsItsLines = (name: SettingName, value: string) =>
  settingOption(name).isLong === true || v.is(SettingLine, value)

/** On a live site, external pages and players must use HTTPS, or browsers refuse them. */
const isUnsafe = ({ settings }: Context, value: string) => !settings.isSandbox && /\bhttp:\/\//.test(value)

const misfitError = (sentence: string) => new AppError('invalid', sentence, { fields: { value: sentence } })

const lockedError = (name: SettingName) =>
  new AppError('conflict', `${name} is set in the server’s environment. Change it there.`)
