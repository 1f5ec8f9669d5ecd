import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { listSettings } from '#api/features/site/settings/admin-service.ts'
import { SettingName, settingOption } from '#shared/contract/site-settings.ts'
import type { Row } from './here-service.ts'

export type LeftSetting = { name: SettingName; old: string; new: string; command: string }

const Given = v.object({ name: SettingName, value: v.string() })

/**
 * A setting that isn't taken in, with the command that sets it; null for one that is: the names and particulars the law wants, if
 * the environment doesn't set them.
 */
export function keptForOwners(ctx: Context, row: Row): LeftSetting | 'same' | null {
  const { name, value } = v.parse(Given, row)
  const current = listSettings(ctx).find((one) => one.name === name)
  if (settingOption(name).isPlain === true && current?.source !== 'environment') return null
  const old = current?.value ?? ''
  if (value === old) return 'same'
  return { name, old, new: value, command: `alliance settings set ${name} ${quoted(value)}` }
}

/** For a shell. Within single quotes nothing has a meaning. */
const quoted = (value: string) => `'${value.replaceAll("'", `'\\''`)}'`
