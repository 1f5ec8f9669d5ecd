import { RowForm } from '#pwa/features/admin/row-form.tsx'
import { api } from '#pwa/lib/api.ts'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { TextAreaField, TextField } from '#pwa/ui/field.tsx'
import { SettingRequest, SiteSetting, settingOption } from '#shared/contract/site-settings.ts'

const valuesOf = ({ value, version }: SiteSetting) => ({ value, version: String(version) })

export function SettingDialog({ setting, onClose }: { setting: SiteSetting; onClose: () => void }) {
  const { name } = setting
  const { label, hint, isLong } = settingOption(name)
  const Field = isLong ? TextAreaField : TextField
  return (
    <Dialog isOpen onClose={onClose} title={label}>
      <RowForm
        label={label}
        className="fields"
        draft={`setting-${name}`}
        schema={SettingRequest}
        read={(typed) => typed}
        row={SiteSetting}
        begin={() => valuesOf(setting)}
        valuesOf={valuesOf}
        send={(request, { version }) => api.api.admin.settings({ name }).put({ ...request, version })}
        failure="We couldn’t save the setting."
        done={({ value }) => ({
          title: value === '' ? 'Cleared' : 'Saved',
          description: `${label} is on the site now.`,
        })}
        compared={[[label, ({ value }) => value]]}
        submit="Save"
        cancel="Cancel"
        onClose={onClose}
      >
        {({ values, errors }) => (
          <Field
            label={label}
            name="value"
            autoComplete="off"
            hint={[hint, 'Leave it empty to clear it.'].filter(Boolean).join(' ')}
            defaultValue={values.value ?? ''}
            error={errors.value}
          />
        )}
      </RowForm>
    </Dialog>
  )
}
