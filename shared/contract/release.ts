import * as v from 'valibot'

/** What a release says of itself, in its `release.json`. */
export const Release = v.object({
  /** The name of its folder: version and time. */
  name: v.string(),
  version: v.string(),
  madeAt: v.string(),
  commit: v.string(),
  /** The kind of machine, such as `linux-x64`. */
  target: v.string(),
  bun: v.string(),
})
export type Release = v.InferOutput<typeof Release>

/** A release's name becomes a folder beside the others. `install.sh` has the same rule. */
export const isReleaseName = (name: string): boolean => /^[0-9A-Za-z][0-9A-Za-z.-]*$/.test(name) && !name.includes('..')

/** Who signs and for what, so that a signature made for something else is no release. */
export const releaseSigner = 'alliance'
export const releaseNamespace = 'alliance-release'
