import { honeypotName } from '#shared/contract/form-words.ts'

/** A field that people neither see nor reach; robots fill it in. */
export const Honeypot = () => (
  <div className="vh" aria-hidden="true">
    <label>
      Leave this empty
      <input name={honeypotName} type="text" tabIndex={-1} autoComplete="off" />
    </label>
  </div>
)
