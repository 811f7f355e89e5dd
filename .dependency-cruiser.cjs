// Who may import whom: each rule is one sentence of docs/architecture.md.
const SERVICE = '^apps/(player|soc)/src'
const TESTS = '([.]test[.]ts$|/testing/|[.]contract[.]ts$)'
const CONTRACTS = '^packages/(player-contract|soc-contract)/'
const PURE = '^packages/(prayer-times|posix-tz|audio-headers|log-query|sigma|attestation)/'
const KIT = '^packages/kit/'
const LIBRARIES = 'node_modules'

const only = (name, comment, from, allowed) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from, pathNot: TESTS },
  to: { pathNot: allowed, dependencyTypesNot: ['core'] },
})

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-unresolved',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    only('main-starts-and-stops', 'main sees start, config and kit', `${SERVICE}/main[.]ts$`, [
      `${SERVICE}/(config|start)[.]ts$`,
      KIT,
    ]),
    {
      name: 'composition-is-on-top',
      comment: 'only starting, composing and tests see compose/',
      severity: 'error',
      from: {
        path: `${SERVICE}/`,
        pathNot: [TESTS, `${SERVICE}/compose/`, `${SERVICE}/[^/]+[.]ts$`],
      },
      to: { path: `${SERVICE}/compose/` },
    },
    only(
      'app-builds-http',
      'app sees features, http, core, db, contracts and kit',
      `${SERVICE}/app[.]ts$`,
      [
        `${SERVICE}/(features|http|core|db)/`,
        `${SERVICE}/api-(description|schemas)[.]ts$`,
        CONTRACTS,
        KIT,
        LIBRARIES,
      ],
    ),
    only(
      'features-see-inwards',
      'features see themselves, ports, core, http, showcase, db, contracts, pure packages and kit',
      `${SERVICE}/features/`,
      [`${SERVICE}/(features|ports|core|http|showcase|db)/`, CONTRACTS, PURE, KIT, LIBRARIES],
    ),
    {
      name: 'features-are-strangers',
      comment: 'features never import each other',
      severity: 'error',
      from: { path: `${SERVICE}/features/([^/]+)/` },
      to: { path: `${SERVICE}/features/`, pathNot: `${SERVICE}/features/$2/` },
    },
    {
      name: 'domain-is-pure',
      comment:
        'domain/ (and normalise/, the pure half of ingest) sees itself, contracts, kit/errors, kit/nearest-names and the pure packages',
      severity: 'error',
      from: { path: `${SERVICE}/features/([^/]+)/.*(domain|normalise)/`, pathNot: TESTS },
      to: {
        pathNot: [
          `${SERVICE}/features/$2/.*(domain|normalise)/`,
          CONTRACTS,
          PURE,
          '^packages/kit/src/(errors|nearest-names)',
          '^(node:)?(crypto|path|path/posix)$',
        ],
      },
    },
    only(
      'http-crosses-features',
      'http sees itself, core, ports, db, contracts and kit',
      `${SERVICE}/http/`,
      [`${SERVICE}/(http|core|ports|db)/`, CONTRACTS, KIT, LIBRARIES],
    ),
    only(
      'core-is-below-http',
      'core sees itself, the showcase, ports, db, contracts and kit, never http or a feature',
      `${SERVICE}/core/`,
      [`${SERVICE}/(core|showcase|ports|db)/`, CONTRACTS, KIT, LIBRARIES],
    ),
    only(
      'showcase-is-a-story',
      'the showcase sees itself, contracts, pure packages and kit',
      `${SERVICE}/showcase/`,
      [`${SERVICE}/showcase/`, CONTRACTS, PURE, KIT, LIBRARIES],
    ),
    only('adapters-see-ports', 'adapters see ports, contracts and kit', `${SERVICE}/adapters/`, [
      `${SERVICE}/(adapters|ports)/`,
      CONTRACTS,
      PURE,
      KIT,
      LIBRARIES,
    ]),
    only('db-is-below', 'db sees itself, contracts and kit', `${SERVICE}/db/`, [
      `${SERVICE}/db/`,
      CONTRACTS,
      KIT,
      LIBRARIES,
    ]),
    only('ports-are-types', 'ports see ports, contracts and pure packages', `${SERVICE}/ports/`, [
      `${SERVICE}/ports/`,
      CONTRACTS,
      PURE,
    ]),
    {
      name: 'apps-are-strangers',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'pages-are-strangers',
      comment: 'a page of a front end sees no other page',
      severity: 'error',
      from: { path: '^apps/([^/]+-web)/src/pages/([^/]+)/' },
      to: { path: '^apps/$1/src/pages/', pathNot: '^apps/$1/src/pages/$2/' },
    },
    {
      name: 'stores-see-no-view',
      comment: 'the stores of a front end see stores, contracts and ui without its parts',
      severity: 'error',
      from: { path: '^apps/[^/]+-web/src/stores/', pathNot: TESTS },
      to: { pathNot: [CONTRACTS, '^packages/ui/src/[^/]+[.]ts$', '/stores/', LIBRARIES] },
    },
    {
      name: 'parts-see-no-page',
      severity: 'error',
      from: { path: '^apps/[^/]+-web/src/parts/' },
      to: { path: '/src/pages/' },
    },
    {
      name: 'packages-below-apps',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^apps/' },
    },
    {
      name: 'packages-are-strangers',
      comment: 'a package sees no other package, but for sigma, which speaks log-query',
      severity: 'error',
      from: { path: '^packages/([^/]+)/' },
      to: { path: '^packages/', pathNot: ['^packages/$1/', '^packages/log-query/'] },
    },
    {
      name: 'pure-packages-do-no-io',
      severity: 'error',
      comment: 'hashing and signing is no I/O',
      from: { path: [PURE, CONTRACTS], pathNot: TESTS },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?crypto$' },
    },
    {
      name: 'tests-stay-tests',
      comment: 'what runs in production imports no test',
      severity: 'error',
      from: { path: '^(apps|packages)/', pathNot: TESTS },
      to: { path: TESTS },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^apps/[^/]+-web/(dist|public)' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.json', '.css'],
    },
  },
}
