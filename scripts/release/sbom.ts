import type { Release } from '#shared/contract/release.ts'
import { type Native, nativeParts, readPackageFile } from './contents.ts'
import { readLock } from './lock-file.ts'
import { type Package, withDependencies } from './packages.ts'
import type { Target } from './targets.ts'

/** Everything in a release by name, version, licence and hash, as CycloneDX: also what's bundled into programs and pages. */
export function billOfMaterials(target: Target, release: Release): object {
  const lock = readLock()
  const hashes = new Map([...lock.values()].map(({ name, version, integrity }) => [`${name}@${version}`, integrity]))
  const { bun, packages } = nativeParts(target)
  const bundled = withDependencies(Object.keys(readPackageFile().dependencies))
  const others = bundled.filter(({ name }) => name !== 'bun')
  const components = [...others, ...[bun, ...packages].map(asPackage)].map(({ name, version, license }) => ({
    type: 'library',
    'bom-ref': purlOf(name, version),
    ...nameParts(name),
    version,
    ...(license === ''
      ? {}
      : { licenses: [/[ (]/.test(license) ? { expression: license } : { license: { id: license } }] }),
    purl: purlOf(name, version),
    ...hashesOf(hashes.get(`${name}@${version}`)),
  }))
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: release.madeAt,
      component: {
        type: 'application',
        'bom-ref': 'alliance',
        name: 'alliance',
        version: release.version,
        licenses: [{ license: { id: 'AGPL-3.0-or-later' } }],
      },
    },
    components: [...new Map(components.map((one) => [one['bom-ref'], one])).values()],
    dependencies: [{ ref: 'alliance', dependsOn: [...new Set(components.map((one) => one['bom-ref']))] }],
  }
}

const asPackage = ({ name, version }: Native): Package => ({
  name,
  version,
  license: name.startsWith('@oven/') ? 'MIT' : '',
  place: '',
})

const purlOf = (name: string, version: string) => `pkg:npm/${name.replace('@', '%40')}@${version}`

function nameParts(name: string) {
  const [group, own] = name.includes('/') ? name.split('/') : [undefined, name]
  return group === undefined ? { name: own } : { group, name: own }
}

/** The lock file's hash in the form CycloneDX wants. */
const hashesOf = (integrity: string | undefined) =>
  integrity?.startsWith('sha512-')
    ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.slice(7), 'base64').toString('hex') }] }
    : {}
