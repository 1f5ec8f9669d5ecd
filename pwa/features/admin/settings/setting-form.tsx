import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import type { FormValues } from '#pwa/features/admin/kit/forms/draft-storage.ts'
import { RowForm, type RowFormParts } from '#pwa/features/admin/kit/forms/row-form.tsx'
import { isControl } from '#pwa/features/forms/use-field-errors.ts'
import { api } from '#pwa/lib/api.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { SelectField, TextAreaField, TextField } from '#pwa/ui/field.tsx'
import {
  type SettingGroup,
  SettingGroupRequest,
  type SettingName,
  type SiteSetting,
  SiteSettingGroup,
  settingGroups,
  settingOption,
} from '#shared/contract/site-settings.ts'

const shownValue = ({ name, value }: SiteSetting) => (settingOption(name).isChoice ? value || 'no' : value)

const isLocked = ({ source }: SiteSetting) => source === 'environment'

const valuesOf = ({ version, settings }: SiteSettingGroup): FormValues => ({
  version: String(version),
  ...Object.fromEntries(settings.filter((one) => !isLocked(one)).map((one) => [one.name, shownValue(one)])),
})

type Props = { group: SettingGroup; settings: readonly SiteSetting[] }

type Begun = { attempt: number; row: SiteSettingGroup }

const asGroup = (settings: readonly SiteSetting[]): SiteSettingGroup => ({
  version: settings.reduce((sum, { version }) => sum + version, 0),
  settings: [...settings],
})

/** One group's settings. Saving sends only the ones that changed. */
export function SettingsForm({ group, settings }: Props) {
  const [begun, setBegun] = useState<Begun>(() => ({ attempt: 0, row: asGroup(settings) }))
  const box = useRef<HTMLDivElement>(null)
  useFocusAfterSaving(box, begun)
  if (settings.every(isLocked))
    return (
      <div className="fields">
        <Fields settings={settings} values={{}} errors={{}} />
      </div>
    )
  const beginAgain = (saved: SiteSettingGroup = newerOf(begun.row, asGroup(settings))) =>
    setBegun({ attempt: begun.attempt + 1, row: saved })
  return (
    <div ref={box}>
      <RowForm
        key={begun.attempt}
        label={settingGroups[group]}
        className="fields"
        draft={`settings-${group}`}
        schema={SettingGroupRequest}
        read={(typed) => changesIn(typed, begun.row)}
        row={SiteSettingGroup}
        begin={() => valuesOf(begun.row)}
        valuesOf={valuesOf}
        send={(request, { version }) => api.api.admin['setting-groups']({ group }).put({ ...request, version })}
        failure="We couldn’t save the settings."
        done={({ settings: saved }) => {
          const doubt = saved.find(isDoubted)
          const isNameless = saved.some(({ name, value }) => name === 'SELLER_NAME' && value === '')
          const when = isNameless ? 'once the business has its name' : 'now'
          if (doubt === undefined) return { title: 'Saved', description: `It’s on the site ${when}.` }
          // What's wrong stands at the field, which has the focus.
          return { title: 'Saved, but check it', description: settingOption(doubt.name).label, tone: 'plain' }
        }}
        compared={comparedWith(begun.row)}
        submit="Save"
        cancel="Discard changes"
        isInPage
        onClose={beginAgain}
      >
        {({ values, errors }) => <Fields settings={settings} values={values} errors={errors} />}
      </RowForm>
    </div>
  )
}

const newerOf = (one: SiteSettingGroup, other: SiteSettingGroup) => (other.version > one.version ? other : one)

const isDoubted = ({ problem }: SiteSetting) => problem !== null

/** The form was rendered again, so the pressed button is gone. What looks wrong is brought into sight. */
function useFocusAfterSaving(box: RefObject<HTMLDivElement | null>, { attempt, row }: Begun) {
  useEffect(() => {
    if (attempt === 0) return
    const doubt = row.settings.find(isDoubted)
    const find = (what: string) => box.current?.querySelector<HTMLElement>(what)
    const field = doubt && find(`[name="${doubt.name}"]`)
    if (field) field.focus()
    else find('[type=submit]')?.focus({ preventScroll: true })
  }, [box, attempt, row])
}

const changesIn = (typed: FormValues, { settings }: SiteSettingGroup) =>
  Object.fromEntries(
    settings
      .filter((one) => typed[one.name] !== undefined && typed[one.name] !== shownValue(one))
      .map(({ name }) => [name, typed[name]]),
  )

type Side = SettingGroupRequest | SiteSettingGroup

const comparedWith = (begun: SiteSettingGroup) =>
  begun.settings.map(
    ({ name, value }) => [settingOption(name).label, (side: Side) => valueIn(side, name) ?? value] as const,
  )

const valueIn = (side: Side, name: SettingName): string | undefined =>
  'settings' in side ? side.settings.find((one) => one.name === name)?.value : side[name]

type FieldsProps = Pick<RowFormParts, 'values' | 'errors'> & { settings: readonly SiteSetting[] }

const Fields = ({ settings, values, errors }: FieldsProps) =>
  settings.map((setting) => (
    <Doubted key={setting.name} setting={setting} typed={values[setting.name]}>
      <SettingField setting={setting} typed={values[setting.name]} error={errors[setting.name]} />
    </Doubted>
  ))

type DoubtedProps = { setting: SiteSetting; typed: string | undefined; children: ReactNode }

/** What looks wrong about a setting, for as long as its field holds it. */
function Doubted({ setting, typed, children }: DoubtedProps) {
  const [held, setHeld] = useState(typed)
  const isHeld = held === undefined || held === shownValue(setting)
  return (
    <div onInput={({ target }) => isControl(target) && setHeld(target.value)}>
      {children}
      {isHeld && isDoubted(setting) && <Banner icon="warn" title={`It ${setting.problem}.`} />}
    </div>
  )
}

type FieldProps = { setting: SiteSetting; typed: string | undefined; error: string | undefined }

function SettingField({ setting, typed, error }: FieldProps) {
  const { name } = setting
  const { label, hint, isLong, isChoice } = settingOption(name)
  if (isLocked(setting)) {
    const Field = isLong ? TextAreaField : TextField
    return <Field label={label} hint="Set on the server." readOnly value={shownValue(setting)} />
  }
  const field = { label, name, hint, error, defaultValue: typed }
  if (isChoice)
    return (
      <SelectField {...field}>
        <option value="no">No</option>
        <option value="yes">Yes</option>
      </SelectField>
    )
  if (isLong) return <TextAreaField {...field} />
  return <TextField {...field} autoComplete="off" inputMode={keyboardOf(name)} />
}

const keyboardOf = (name: SettingName) => (/_URL$/.test(name) ? 'url' : /EMAIL$/.test(name) ? 'email' : undefined)
