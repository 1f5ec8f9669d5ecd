/** One kind of machine a release is made for. */
export type Target = {
  name: string
  /** `process.arch` there, which names native packages too. */
  arch: 'x64' | 'arm64'
  /** The package with Bun's program. The one for x64 has the same bytes as its `-baseline`, so old processors need no release of their own. */
  bun: string
}

export const targets: readonly Target[] = [
  { name: 'linux-x64', arch: 'x64', bun: '@oven/bun-linux-x64' },
  { name: 'linux-arm64', arch: 'arm64', bun: '@oven/bun-linux-aarch64' },
]

/** Packages with native code for a target, apart from Bun. */
export const nativePackages = ({ arch }: Target): string[] => [
  `@img/sharp-linux-${arch}`,
  `@img/sharp-libvips-linux-${arch}`,
]
