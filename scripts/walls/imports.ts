import { type Area, areaOf, type Finding, featureOf, isJourney, isTest } from './place.ts'
import type { Import, Source } from './source.ts'

/** shared ← api ← cli, and shared ← pwa. Only the API reads `data`. */
const mayUse: Record<Area, readonly Area[]> = {
  shared: ['shared'],
  data: ['data', 'shared'],
  api: ['api', 'shared', 'data'],
  cli: ['cli', 'shared'],
  pwa: ['pwa', 'shared'],
  tools: ['shared', 'data', 'api', 'cli', 'pwa', 'tools'],
}

/** The typed client needs the API's type, never its code. */
const mayNameTypesOf: Partial<Record<Area, readonly Area[]>> = { cli: ['api'], pwa: ['api'], data: ['api'] }

/** Runs the API in its own process, reads the database or works on its files. The rest of the CLI makes calls. */
const besideTheDatabase = /^cli\/(transport-local\.ts|(doctor|machine)\/[a-z-]+\.ts)$/

/** Each third-party system, store or screen library has one folder that talks to it. Types may be imported elsewhere. */
const owners: Record<string, RegExp> = {
  stripe: /^api\/stripe\//,
  nodemailer: /^api\/mail\//,
  'web-push': /^api\/push\/request\.ts$/,
  'postal-mime': /^api\/mail\//,
  pdfkit: /^api\/documents\//,
  // It reads only our own fonts, none from outside.
  fontkit: /^api\/documents\/(brand-drawings|invoice-pdf-fonts)\.ts$/,
  sharp: /^api\/pictures\/decoder\.ts$/,
  'prom-client': /^api\/metrics\/prometheus\.ts$/,
  'better-sqlite3': /^api\/(db|sandbox)\//,
  'sanitize-html': /^api\//,
  dexie: /^pwa\/sync\//,
  ink: /^cli\/views\//,
  '@tiptap/core': /^pwa\/features\/admin\/site\/blog\/post-editor\.tsx$/,
  '@tiptap/starter-kit': /^pwa\/features\/admin\/site\/blog\/post-editor\.tsx$/,
  '@tiptap/extension-image': /^pwa\/features\/admin\/site\/blog\/post-editor\.tsx$/,
}

/**
 * In the API: Stripe's folder and the document writers contain no business rules, and features react to a payment through one
 * call. In the PWA: parts know no data or routes, the offline engine no screens, a feature no routes. `withTypes`: not even
 * types.
 */
const layers: readonly { from: RegExp; never: RegExp; says: string; withTypes?: true }[] = [
  {
    from: /^api\/stripe\//,
    never: /^api\/(features|mail|http|documents|jobs|context\.ts|audit\.ts)/,
    says: 'Stripe’s folder takes what it needs, and knows no feature, mail or request',
    withTypes: true,
  },
  { from: /^api\/stripe\//, never: /^api\/db\//, says: 'Stripe’s folder names types of rows, and no table' },
  {
    from: /^api\/documents\//,
    never: /^api\/(?!documents\/|project\.ts)/,
    says: 'a writer of documents takes plain data, and knows no table, feature or request',
    withTypes: true,
  },
  {
    from: /^api\/features\/(?!reconcile\/|sandbox\/|operations\/jobs\/)/,
    never: /^api\/features\/reconcile\/(?!(|link-|unlink-)service\.ts$)/,
    says: 'a feature has a customer read by reconcile/service.ts, and linked by link-service.ts',
    withTypes: true,
  },
  {
    from: /^api\/(?!http\/session\.ts|identity\/)/,
    never: /^api\/identity\/authorize\.ts$/,
    says: 'only the guards say who was let in',
  },
  {
    from: /^api\/features\/(?!.*routes\.ts$)/,
    never: /^api\/http\//,
    says: 'HTTP turns a request into a person and a call: only a feature’s routes know it',
    withTypes: true,
  },
  {
    from: /^pwa\/ui\//,
    never: /^pwa\/(features|routes|sync)\//,
    says: 'a design-system part knows no data and no routes',
  },
  { from: /^pwa\/sync\//, never: /^pwa\/(features|routes|ui)\//, says: 'the offline engine knows no screens' },
  { from: /^pwa\/features\//, never: /^pwa\/routes\//, says: 'a feature is used by routes, not the other way' },
  {
    from: /^api\/sandbox\/(store|webhooks|billing)\//,
    never: /^api\/sandbox\/(resources|http)\//,
    says: "the sandbox's billing knows no requests",
  },
  { from: /^cli\/(?!views\/)/, never: /^cli\/views\//, says: 'views are loaded by import(), on a terminal alone' },
]

/** The payment sandbox is a separate package. Product code starts it in one place, tests anywhere. */
const sandbox = {
  folder: 'api/sandbox/',
  door: 'api/sandbox/server.ts',
  starter: 'api/features/sandbox/provider-service.ts',
}

export function checkImports(source: Source): Finding[] {
  return source.imports.flatMap((used) => {
    const finding = (used.isPackage ? checkPackage : checkFile)(source.path, used)
    return finding ? [{ path: source.path, line: used.line, ...finding }] : []
  })
}

type Reason = Pick<Finding, 'rule' | 'says'> | undefined

function checkFile(path: string, used: Import): Reason {
  return (
    checkDirection(path, used) ??
    checkTesting(path, used) ??
    checkRoutes(path, used) ??
    checkLayers(path, used) ??
    checkSandbox(path, used)
  )
}

/** Just numbers: page budgets, which the build checks in files and a journey in the browser. */
const budgets = 'scripts/build/budgets.ts'

function checkDirection(path: string, { target, isType }: Import): Reason {
  if (target === 'package.json') return undefined
  const from = areaOf(path)
  const to = areaOf(target)
  if (isJourney(path)) {
    const isAllowed = isJourney(target) || to === 'shared' || to === 'data' || target === budgets || isType
    return isAllowed ? undefined : { rule: 'direction', says: `a journey runs under Node and may not load ${target}` }
  }
  if (isTest(path) || mayUse[from].includes(to)) return undefined
  if (isType && mayNameTypesOf[from]?.includes(to)) return undefined
  if (to === 'api' && besideTheDatabase.test(path)) return undefined
  const how = mayNameTypesOf[from]?.includes(to) ? 'only by "import type"' : 'never'
  return { rule: 'direction', says: `${from} may import ${to} ${how}: ${target}` }
}

function checkTesting(path: string, { target, isType }: Import): Reason {
  if (isType || isTest(path) || areaOf(path) === 'tools' || !isTest(target)) return undefined
  return { rule: 'testing', says: `the product may not load test code: ${target}` }
}

function checkRoutes(path: string, { target }: Import): Reason {
  const feature = featureOf(target)
  if (!feature || !/[/-]routes\.ts$/.test(target) || !featureOf(path) || featureOf(path) === feature) return undefined
  return { rule: 'routes', says: `a feature may not import another's routes: ${target}` }
}

function checkLayers(path: string, { target, isType, isDynamic }: Import): Reason {
  if (isDynamic || isTest(path)) return undefined
  const broken = layers.find(
    ({ from, never, withTypes }) => (withTypes || !isType) && from.test(path) && never.test(target),
  )
  return broken && { rule: 'layer', says: `${broken.says}: ${target}` }
}

function checkSandbox(path: string, { target, isType }: Import): Reason {
  const { folder, door, starter } = sandbox
  if (path.startsWith(folder)) {
    const isOwn = target.startsWith(folder) || target.startsWith('shared/')
    return isOwn ? undefined : { rule: 'sandbox', says: `the payment sandbox may import nothing of ours: ${target}` }
  }
  if (!target.startsWith(folder)) return undefined
  if (target !== door) return { rule: 'sandbox', says: `the payment sandbox has one door, ${door}: ${target}` }
  if (isType || isTest(path) || path === starter) return undefined
  return { rule: 'sandbox', says: `of the product, only ${starter} may load the payment sandbox` }
}

function checkPackage(path: string, { target, isType }: Import): Reason {
  if (isType || isTest(path) || areaOf(path) === 'tools') return undefined
  const owner = owners[target]
  if (owner && !owner.test(path)) return { rule: 'owner', says: `${target} is imported by its own folder alone` }
  if (areaOf(path) === 'shared' && target !== 'valibot') {
    return { rule: 'owner', says: `shared is pure and needs no package but valibot: ${target}` }
  }
  if (target === 'react' && path.startsWith('pwa/sync/') && !/\/(hooks|use-[a-z-]+)\.tsx?$/.test(path)) {
    return { rule: 'owner', says: 'in the offline engine React is for hooks alone' }
  }
  return undefined
}
