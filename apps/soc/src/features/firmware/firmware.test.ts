import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { test } from 'node:test'
import { startTestSoc } from '../../testing/test-soc.ts'

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

const PUMP = {
  vendor: 'Wadi Controls',
  product: 'WX-200',
  version: '3.8.0',
  sha256: hashOf('pump 3.8.0'),
}

test('firmware', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  t.beforeEach(() =>
    soc.query('DELETE FROM firmware; DELETE FROM firmware_keys; DELETE FROM cps_devices'),
  )
  const ask = async (path: string) => (await soc.call('GET', path, { as })).body
  const send = (method: string, path: string, body?: unknown) =>
    soc.call(method, path, { as, body })
  const importing = (body: string, type: string, query = '') =>
    soc.call('POST', `/firmware/import${query}`, { as, body, headers: { 'content-type': type } })
  const device = (name: string, sha256: string | null) =>
    soc.query(
      `INSERT INTO cps_devices (id, name, device_type, managed, firmware_sha256)
     VALUES (gen_random_uuid(), $1, 'plc', true, $2)`,
      [name, sha256],
    )

  await t.test('POST /firmware adds one, GET /firmware lists it with who runs it', async () => {
    await device('plc-1', PUMP.sha256)
    const added = await send('POST', '/firmware', { ...PUMP, sha256: PUMP.sha256.toUpperCase() })
    assert.equal(added.status, 201)
    assert.partialDeepStrictEqual(added.body, {
      ...PUMP,
      status: 'allowed',
      signature: { status: 'unsigned' },
      is_outdated: false,
      latest_version: '3.8.0',
      device_count: 1,
    })
    const { items, total } = await ask('/firmware')
    assert.equal(total, 1)
    assert.deepEqual(items, [added.body])
    assert.deepEqual(await ask(`/firmware/${added.body.id}`), added.body)
    const again = await send('POST', '/firmware', PUMP)
    assert.deepEqual(
      [again.status, again.body.detail],
      [409, `sha256: ${PUMP.sha256} is known already`],
    )
  })

  await t.test(
    'GET /firmware/devices says who runs what is current, outdated, blocked or unknown',
    async () => {
      const versions = ['3.7.2', '3.10.0', '3.9.1']
      for (const version of versions) {
        await send('POST', '/firmware', { ...PUMP, version, sha256: hashOf(version) })
        await device(`runs ${version}`, hashOf(version))
      }
      await device('runs something', hashOf('something'))
      await device('silent', null)
      const statesOf = async (query = '') =>
        (await ask(`/firmware/devices?order=asc${query}`)).items.map(
          (one: { device_name: string; state: string }) => `${one.device_name}: ${one.state}`,
        )
      assert.deepEqual(await statesOf(), [
        'runs 3.10.0: current',
        'runs 3.7.2: outdated',
        'runs 3.9.1: outdated',
        'runs something: unknown',
        'silent: unreported',
      ])
      assert.deepEqual(await statesOf('&state=unknown'), ['runs something: unknown'])
      const [newest] = (await ask('/firmware?version=3.10.0')).items
      await send('PATCH', `/firmware/${newest.id}`, { status: 'blocked' })
      // A version that must not run is no reason to call the others outdated.
      assert.deepEqual((await statesOf()).slice(0, 3), [
        'runs 3.10.0: blocked',
        'runs 3.7.2: outdated',
        'runs 3.9.1: current',
      ])
    },
  )

  for (const algorithm of ['ed25519', 'ec', 'rsa'] as const) {
    await t.test(
      `release notes signed with ${algorithm} are checked with the vendor's key`,
      async () => {
        const pair =
          algorithm === 'rsa'
            ? generateKeyPairSync('rsa', { modulusLength: 2048 })
            : algorithm === 'ec'
              ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
              : generateKeyPairSync('ed25519')
        const notes = `WX-200 3.8.0\nsha256: ${PUMP.sha256}\nMends the pressure alarm.\n`
        const digest = algorithm === 'ed25519' ? null : 'sha256'
        const signature = sign(digest, Buffer.from(notes), pair.privateKey).toString('base64')
        const signed = { ...PUMP, release_notes: notes, signature }

        const early = await send('POST', '/firmware', signed)
        assert.match(early.body.detail, /^signature: there is no key of Wadi Controls/)
        const key = await send('POST', '/firmware/keys', {
          vendor: 'WADI controls',
          name: 'releases',
          public_key: pair.publicKey.export({ type: 'spki', format: 'pem' }),
        })
        assert.equal(key.status, 201)

        const refused = async (body: object) => {
          const reply = await send('POST', '/firmware', body)
          assert.equal(reply.status, 400)
          return reply.body.detail
        }
        assert.match(
          await refused({ ...signed, release_notes: `${notes}.` }),
          /^signature: was made/,
        )
        assert.match(await refused({ ...signed, sha256: hashOf('x') }), /^release_notes: must name/)
        assert.match(await refused({ ...signed, vendor: 'Other' }), /^signature: there is no key/)

        const added = await send('POST', '/firmware', signed)
        assert.equal(added.status, 201)
        assert.deepEqual(added.body.signature, {
          status: 'verified',
          value: signature,
          key_id: key.body.id,
          key_fingerprint: key.body.fingerprint,
        })
        await send('POST', `/firmware/keys/${key.body.id}/revoke`)
        assert.equal((await ask(`/firmware/${added.body.id}`)).signature.status, 'key_revoked')
      },
    )
  }

  await t.test('what was changed past the service no longer counts as signed', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const release_notes = `for ${PUMP.sha256}`
    const public_key = publicKey.export({ type: 'spki', format: 'pem' })
    await send('POST', '/firmware/keys', { vendor: PUMP.vendor, name: 'k', public_key })
    const signature = sign(null, Buffer.from(release_notes), privateKey).toString('base64')
    await send('POST', '/firmware', { ...PUMP, release_notes, signature })
    await soc.query(`UPDATE firmware SET release_notes = release_notes || ' and more'`)
    assert.equal((await ask('/firmware')).items[0].signature.status, 'invalid')
  })

  const KEYS: [string, string, RegExp][] = [
    ['no key', 'hello', /^public_key: is not a public key/],
    [
      'a private key',
      generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      /^public_key: is a private key/,
    ],
    [
      'a short key',
      generateKeyPairSync('rsa', { modulusLength: 1024 })
        .publicKey.export({ type: 'spki', format: 'pem' })
        .toString(),
      /^public_key: must have at least 2048 bits/,
    ],
  ]
  await t.test('POST /firmware/keys refuses what is no public key', async () => {
    for (const [name, public_key, expected] of KEYS) {
      const { status, body } = await send('POST', '/firmware/keys', {
        vendor: 'v',
        name,
        public_key,
      })
      assert.equal(status, 400, name)
      assert.match(body.detail, expected)
    }
  })

  await t.test('POST /firmware/import takes CSV and names the line of what is wrong', async () => {
    const csv = [
      'Manufacturer;Model;Version;Hash;Release date',
      `Wadi Controls;WX-200;3.8.0;${PUMP.sha256};2025-05-04`,
      '',
      'Wadi Controls;WX-200;3.9.0;not a hash;2025-05-04',
      `"Wadi;\nControls";WX-200;3.9.1;${hashOf('3.9.1')};`,
      `Wadi Controls;WX-200;3.9.2;${hashOf('3.9.2')};yesterday`,
      `Wadi Controls;WX-200;3.9.3;${PUMP.sha256};`,
    ].join('\n')
    const { status, body } = await importing(csv, 'text/csv')
    assert.equal(status, 200, body.detail)
    assert.partialDeepStrictEqual(body, {
      format: 'csv',
      imported: 2,
      updated: 0,
      skipped_count: 3,
    })
    assert.deepEqual(body.skipped, [
      { place: 'line 4', reason: 'sha256: must be 64 hexadecimal digits' },
      { place: 'line 7', reason: 'released_at: must be an ISO 8601 time with an offset' },
      { place: 'line 8', reason: 'sha256: comes twice in the file' },
    ])
    assert.equal(
      (await ask(`/firmware?sha256=${PUMP.sha256}`)).items[0].released_at,
      '2025-05-04T00:00:00.000Z',
    )
    // What somebody has blocked stays so, and a list may block more.
    const [newer] = (await ask('/firmware?version=3.9.1')).items
    await send('PATCH', `/firmware/${newer.id}`, { status: 'blocked' })
    const judged = csv.replace('Release date', 'Status').replace('2025-05-04', 'blocked')
    const again = await importing(judged, 'text/csv')
    assert.partialDeepStrictEqual(again.body, { imported: 0, updated: 2 })
    const statuses = (await ask('/firmware')).items.map((one: { status: string }) => one.status)
    assert.deepEqual(statuses, ['blocked', 'blocked'])
    const other = await importing(`vendor,product,version,sha256\nX,Y,1,${PUMP.sha256}`, 'text/csv')
    assert.deepEqual(
      [other.status, other.body.detail],
      [400, 'body: line 2: sha256: is known already as another vendor, product or version'],
    )
  })

  const CYCLONEDX = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    metadata: {
      timestamp: '2025-05-04T10:00:00Z',
      component: {
        type: 'firmware',
        name: 'WX-200',
        version: '3.8.0',
        supplier: { name: 'Wadi Controls' },
        hashes: [
          { alg: 'SHA-1', content: 'aa' },
          { alg: 'SHA-256', content: PUMP.sha256.toUpperCase() },
        ],
      },
    },
    components: [
      {
        type: 'library',
        name: 'openssl',
        version: '1.1.1k',
        purl: 'pkg:generic/openssl@1.1.1k',
        cpe: 'cpe:2.3:a:openssl:openssl:1.1.1k:*:*:*:*:*:*:*',
        licenses: [{ license: { id: 'OpenSSL' } }],
        components: [{ type: 'file', name: 'libcrypto.so' }],
      },
      { type: 'library', group: 'org.eclipse', name: 'mosquitto', version: '2.0.18' },
      { type: 'library' },
    ],
  }

  await t.test(
    'POST /firmware/import takes CycloneDX, whose components are found with their devices',
    async () => {
      await device('plc-1', PUMP.sha256)
      const { status, body } = await importing(JSON.stringify(CYCLONEDX), 'application/json')
      assert.equal(status, 200, body.detail)
      assert.partialDeepStrictEqual(body, { format: 'cyclonedx', imported: 1, components: 3 })
      assert.deepEqual(body.skipped, [{ place: 'components[2]', reason: 'name: is missing' }])
      const { items } = await ask('/firmware/components?name=OpenSSL')
      assert.partialDeepStrictEqual(items, [
        {
          name: 'openssl',
          version: '1.1.1k',
          license: 'OpenSSL',
          firmware: { id: body.firmware_ids[0], ...PUMP },
          device_count: 1,
        },
      ])
      assert.equal((await ask('/firmware?component=openssl')).total, 1)
      assert.equal((await ask('/firmware/components?purl=pkg:generic/openssl')).total, 1)
      assert.equal((await ask('/firmware/components?q=libcrypto')).total, 1)
      assert.equal((await ask(`/firmware/components?firmware_id=${body.firmware_ids[0]}`)).total, 3)
      assert.equal((await ask('/firmware/components?name=log4j')).total, 0)
      // A statement about its faults is no bill: what it is made of stays known.
      const { components: _parts, ...about } = CYCLONEDX
      const vex = { ...about, vulnerabilities: [{ id: 'CVE-2021-3711' }] }
      await importing(JSON.stringify(vex), 'application/json')
      assert.equal((await ask('/firmware/components')).total, 3)
      // Also what was cut in the middle of a character is stored.
      const long = { name: `${'x'.repeat(299)}\u{1f6b0}` }
      const newer = { ...CYCLONEDX, components: [{ name: 'openssl', version: '3.0.1' }, long] }
      await importing(JSON.stringify(newer), 'application/json')
      const { items: parts } = await ask('/firmware/components?order=asc')
      assert.deepEqual([parts.length, parts[0].version], [2, '3.0.1'])
    },
  )

  await t.test(
    'POST /firmware/import takes SPDX, and what it does not say from the address',
    async () => {
      const spdx = {
        spdxVersion: 'SPDX-2.3',
        SPDXID: 'SPDXRef-DOCUMENT',
        creationInfo: { created: '2025-05-04T10:00:00Z' },
        packages: [
          {
            SPDXID: 'SPDXRef-fw',
            name: 'WX-200',
            versionInfo: '3.8.0',
            supplier: 'Organization: Wadi Controls (sales@wadi.example)',
          },
          {
            SPDXID: 'SPDXRef-1',
            name: 'busybox',
            versionInfo: '1.35.0',
            licenseConcluded: 'NOASSERTION',
            licenseDeclared: 'GPL-2.0-only',
            externalRefs: [
              { referenceType: 'purl', referenceLocator: 'pkg:deb/debian/busybox@1.35.0' },
            ],
          },
        ],
        relationships: [
          {
            spdxElementId: 'SPDXRef-DOCUMENT',
            relationshipType: 'DESCRIBES',
            relatedSpdxElement: 'SPDXRef-fw',
          },
        ],
      }
      const without = await importing(JSON.stringify(spdx), 'application/json')
      assert.equal(without.status, 400)
      assert.match(without.body.detail, /^sha256: the file does not say it/)
      const { body } = await importing(
        JSON.stringify(spdx),
        'application/json',
        `?sha256=${PUMP.sha256}`,
      )
      assert.partialDeepStrictEqual(body, { format: 'spdx', imported: 1, components: 1 })
      const [part] = (await ask('/firmware/components')).items
      assert.partialDeepStrictEqual(part, {
        name: 'busybox',
        license: 'GPL-2.0-only',
        firmware: PUMP,
      })
    },
  )

  await t.test(
    'POST /firmware/import stores nothing of a file that is wrong, and says why',
    async () => {
      for (const [body, type] of [
        ['', 'text/csv'],
        ['{"bomFormat":', 'application/json'],
      ] as const) {
        const reply = await importing(body, type)
        assert.equal(reply.status, 400)
        assert.match(reply.body.detail, /^body: /)
      }
      assert.equal((await ask('/firmware')).total, 0)
    },
  )

  await t.test('who may only read cannot write firmware', async () => {
    const analyst = await soc.signInAs('analyst')
    assert.equal((await soc.call('GET', '/firmware', { as: analyst })).status, 200)
    for (const [method, path, body] of [
      ['POST', '/firmware', PUMP],
      ['POST', '/firmware/keys', { vendor: 'v', name: 'n', public_key: 'x' }],
      ['DELETE', '/firmware/x', undefined],
    ] as const) {
      assert.equal((await soc.call(method, path, { as: analyst, body })).status, 403, path)
    }
  })

  await t.test('DELETE /firmware/{id} takes its components along', async () => {
    const { body } = await importing(JSON.stringify(CYCLONEDX), 'application/json')
    const id = body.firmware_ids[0]
    assert.deepEqual((await send('DELETE', `/firmware/${id}`)).body, { deleted: true, id })
    assert.equal((await ask('/firmware/components')).total, 0)
    assert.equal((await send('GET', `/firmware/${id}`)).status, 404)
  })
})
