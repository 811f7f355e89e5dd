import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseQuery } from './parse.ts'
import { printQuery } from './print.ts'

const REFUSED: [query: string, column: number, message: RegExp][] = [
  ['host:web AND', 13, /a term is missing/],
  ['OR host:web', 1, /a term is missing/],
  ['a AND OR b', 7, /a term is missing/],
  ['()', 2, /a term is missing/],
  ['NOT', 4, /a term is missing/],
  ['a and b', 3, /and is an operator only in capitals/],
  ['user:a or user:b', 8, /or is an operator only in capitals/],
  ['host:web (a', 10, /the parenthesis is not closed/],
  ['a)', 2, /never opened/],
  ['"open', 1, /the quote is not closed/],
  ['"C:\\temp\\"', 1, /the quote is not closed/],
  ['host:', 6, /a value is missing after host:/],
  ['host: AND a', 6, /a value is missing after host:/],
  [':x', 1, /a field name is missing/],
  ['ho*t:x', 1, /a field name has no wildcards/],
  ['x:[1 9]', 6, /a range needs TO/],
  ['x:[1 TO 9', 3, /the range is not closed/],
  ['x:[a* TO b]', 4, /a bound has no wildcards/],
  ['x:/a', 3, /the regex is not closed/],
  ['x:/(/', 3, /missing/],
  ['x:/a(?=b)/', 3, /./],
  ['x:/\\p{L}/', 3, /\\p is not supported/],
  [`x:/${'(a{30}){30}'.repeat(6)}/`, 3, /repeats too much/],
  [`x:/${'[a-z]{1,1000}'.repeat(6)}/`, 3, /repeats too much/],
  ['path:/etc/passwd', 10, /a regex ends at/],
  ['timestamp:yesterday', 11, /this is no moment/],
  ['timestamp:2026-02-30', 11, /this is no moment/],
  ['timestamp:>=2026-13', 13, /this is no moment/],
  ['user:same(other)', 10, /a parenthesis inside a value/],
  ['user:equals(a b)', 13, /needs one field name/],
  ['timestamp>yesterday', 11, /this is no moment/],
  ['user IN ()', 10, /a value is missing after user:/],
  ['user IN (a, b', 14, /the list is not closed/],
  [`user IN (${'a,'.repeat(30_000)}b)`, 40_008, /terms/],
  ['status:>400 AND <500', 17, /a comparison without a field/],
  ['status>400 AND (x OR >= 500)', 22, /a comparison without a field/],
  ['400 <= status < 500', 1, /a field between two bounds/],
  ['bytes>1MB', 7, /1MB is no number/],
  ['bytes:>1MB', 8, /1MB is no number/],
  ['latency >= 500ms', 12, /500ms is no number/],
  ['bytes:[1,000 TO 2,000]', 8, /1,000 is no number/],
  ['user ~ adm.*', 1, /write a regex/],
  ['user =~ "adm"', 1, /write a regex/],
  ['user=~"adm.*"', 1, /write a regex/],
  ["user !~ 'adm'", 1, /write a regex/],
  ['user=~/adm.*/', 1, /write a regex/],
  ['user matches regex "adm"', 1, /write a regex/],
  ["x AND user REGEXP 'adm'", 7, /write a regex/],
  ['error earliest=-24h latest=now', 7, /write a time/],
  ['TimeGenerated > ago(1h)', 1, /write a time/],
  ['cidrmatch("10.0.0.0/8", src_ip)', 1, /no such functions/],
  ['lower(user)=root', 1, /no such functions/],
  ['CommandLine has_any ("a", "b")', 1, /neither has_any nor/],
  ['user:!=root', 1, /with : or with !=/],
  ["user:'two words'", 1, /single quotes hold no spaces/],
  ['"two words"~5', 1, /words near each other/],
  ["timestamp BETWEEN 'x' AND 'y'", 1, /this is no moment/],
  ['x\\', 2, /a backslash at the end/],
  ['*a'.repeat(101), 1, /more than 100 wildcards/],
  [`x:${'?'.repeat(101)}b`, 3, /more than 100 wildcards/],
  [`x:/${'.*a'.repeat(101)}/`, 3, /more than 100 of \* \+ \{n,\}/],
  ['('.repeat(1000), 66, /levels/],
  ['!'.repeat(100_000), 66, /levels/],
  ['a '.repeat(30_000), 40_001, /terms/],
  ['a'.repeat(1_100_000), 1_048_577, /characters/],
]

for (const [query, column, message] of REFUSED) {
  test(`${query.slice(0, 30)} is refused at column ${column}`, () => {
    const parsed = parseQuery(query, 0)
    assert.ok(!parsed.ok, JSON.stringify(parsed))
    assert.match(parsed.error.message, message)
    assert.equal(parsed.error.column, column)
    assert.ok(parsed.error.hint)
  })
}

const SAME: [one: string, other: string][] = [
  ['a b', 'a AND b'],
  ['a OR b c', 'a OR (b AND c)'],
  ['NOT a b', '(NOT a) AND b'],
  ['!a', 'NOT a'],
  ['-a', 'NOT a'],
  ['a&&b||c', '(a AND b) OR c'],
  ['host: web', 'host:web'],
  ['state:OR', 'state:"OR"'],
  ['host:(a b)', 'host:a AND host:b'],
  ['host:(a OR (b AND NOT c))', 'host:a OR (host:b AND NOT host:c)'],
  ['*a*', 'a'],
  ['*:*', '*'],
  ['', '  '],
  ['x:a&b|c', 'x:"a&b|c"'],
  ['x:*', 'x:[* TO *]'],
  ['message:*a*', 'message:a'],
  ['x:"a b"', 'x:a\\ b'],
  ['x:*"a b"', 'x:*a\\ b'],
  ['x:"C:\\Windows"', 'x:C:\\Windows'],
  ['x:"\\\\\\\\server"', 'x:\\\\\\\\server'],
  ['"my field":x', 'my\\ field:x'],
  ['timestamp:>2026-03-01', 'timestamp:>=2026-03-02'],
  ['timestamp:<=2026-02', 'timestamp:<2026-03-01'],
  ['timestamp:2026', 'timestamp:[2026-01-01 TO 2026-12-31]'],
  ['timestamp:>=now-1w', 'timestamp:>=1970-01-01T00:00'],
  ['user!=root', 'NOT user=root'],
  ['user != root', 'NOT user=root'],
  ['user !=root', 'NOT user=root'],
  ['a user!="b c" d', 'a AND NOT user="b c" AND d'],
  ['user!==root', 'NOT user=root'],
  ['user!=*', 'NOT user:*'],
  ['src_ip!=10.0.0.0/8', 'NOT src_ip=10.0.0.0/8'],
  ['@timestamp != 2026-03-01', 'NOT @timestamp=2026-03-01'],
  ['!user!=root', 'NOT NOT user=root'],
  ['user<>root', 'user!=root'],
  ['user <> root', 'user!=root'],
  ['user=(a OR b)', 'user:(a OR b) OR "user=(a OR b)"'],
  ['user != (a OR b)', 'NOT (user:(a OR b) OR "user=(a OR b)")'],
  ['user =root', 'user:root OR "user =root"'],
  ['user= root x', '(user:root OR "user= root") x'],
  ["user='root'", 'user:root OR "user=\'root\'"'],
  ['ruser= rhost=web', '"ruser=" AND rhost=web'],
  ['ruser= AND x', '"ruser=" AND x'],
  ['ruser= host:web', '"ruser=" AND host:web'],
  ['status>400', 'status:>400 OR "status>400"'],
  ['status >= 400 x', '(status:>=400 OR "status >= 400") AND x'],
  ['(a OR status<-1.5)', 'a OR status:<-1.5 OR "status<-1.5"'],
  ['NOT status<=400', 'NOT (status:<=400 OR "status<=400")'],
  ['timestamp>=1970-01-02', 'timestamp:>=1970-01-02'],
  ['@timestamp < now-1d', 'timestamp:<now-1d'],
  ['user IN (a, "b c",d)', 'user:(a OR "b c" OR d) OR "user IN (a, \\"b c\\",d)"'],
  ["user in ('a')", 'user:a OR "user in (\'a\')"'],
  ['user IN (a OR b)', 'user:(a OR b) OR "user IN (a OR b)"'],
  ['user NOT IN (a, b) x', '(NOT user:(a OR b)) x'],
  [
    'src_ip in (10.0.0.0/8, 1.1.1.1)',
    'src_ip:(10.0.0.0/8 OR 1.1.1.1) OR "src_ip in (10.0.0.0/8, 1.1.1.1)"',
  ],
  ["user !in ('a', 'b')", 'NOT user:(a OR b)'],
  ['user in~ (a)', 'user:a OR "user in~ (a)"'],
  ["user:'root'", 'user:root'],
  ["user:('a' OR 'b')", 'user:(a OR b)'],
  ["message:'failed'", 'message:failed'],
  ['status BETWEEN 400 AND 499 x', '(status:[400 TO 499] OR "status BETWEEN 400 AND 499") x'],
  ['status between 400 and 499', 'status:[400 TO 499] OR "status between 400 and 499"'],
  ['status between (400 .. 499)', 'status:[400 TO 499] OR "status between (400 .. 499)"'],
  ['status NOT BETWEEN 400 AND 499', 'NOT status:[400 TO 499]'],
  ["version between '9' and '10'", 'version:["9" TO "10"] OR "version between \'9\' and \'10\'"'],
  [
    "timestamp between '2026-03-01' and '2026-03-02'",
    "timestamp:[2026-03-01 TO 2026-03-02] OR \"timestamp between '2026-03-01' and '2026-03-02'\"",
  ],
  ["user LIKE '%a b_'", 'user:*"a b"? OR "user LIKE \'%a b_\'"'],
  ['user like "adm%"', 'user:adm* OR "user like \\"adm%\\""'],
  ['user LIKE %adm%', 'user:*adm* OR "user LIKE %adm%"'],
  ["user NOT LIKE 'adm\\_%'", 'NOT user:adm_*'],
  ["message LIKE '%adm%'", 'message:adm OR "message LIKE \'%adm%\'"'],
  ['user IS NULL', 'NOT user:*'],
  ['status IS NOT NULL x', 'status:* x'],
  ['user is null', '(NOT user:*) OR (user AND is AND null)'],
  ['isnull(user)', 'NOT user:*'],
  ['isnotempty(user)', 'NOT (NOT user:* OR user:"")'],
  ['status EXISTS', 'status:* OR (status AND EXISTS)'],
  [
    'CommandLine contains "-enc x"',
    'CommandLine:*"-enc x"* OR (CommandLine AND contains AND "-enc" AND x)',
  ],
  ['user startswith adm', 'user:adm* OR (user AND startswith AND adm)'],
  ['user endswith "min"', 'user:*min OR (user AND endswith AND min)'],
  ['user !contains "adm"', 'NOT user:*adm*'],
  ['user has_cs "Adm"', 'user:==*Adm* OR (user AND has_cs AND Adm)'],
  ['a -> b', 'a "->" b'],
  ['timestamp:"2026-03-01 10:00"', 'timestamp:2026-03-01T12:00+02:00'],
]

test('signs of other languages are read in one go, however long what follows them', () => {
  const long = 500_000
  for (const text of [
    `logged in (${','.repeat(long)}`,
    `${'a'.repeat(long)} in (b`,
    `a${' '.repeat(long)}b`,
    `a=${' '.repeat(long)}b=`,
    `a<${'1'.repeat(long)}x`,
    `user='${'a'.repeat(long)}`,
    `user:'${' '.repeat(long)}`,
    `user${' '.repeat(long)}~`,
    `user between ${'a'.repeat(long)}`,
    `user between ('${'.'.repeat(long)}`,
    `user like '${'%'.repeat(long)}`,
    `user not contains${' '.repeat(long)}"`,
  ]) {
    parseQuery(text, 0)
  }
})

for (const [one, other] of SAME) {
  test(`${one} means ${other}`, () => {
    const week = 604_800_000
    const parsed = parseQuery(one, week)
    assert.ok(parsed.ok, JSON.stringify(parsed))
    assert.deepEqual(parsed, parseQuery(other, week))
  })
}

for (const text of ['host:web-1 | stats count by user', '* | head 10', 'error |where x']) {
  test(`a pipe says how to do it instead: ${text}`, () => {
    const parsed = parseQuery(text, 0)
    assert.ok(!parsed.ok)
    assert.match(parsed.error.message, /no pipes/)
    assert.match(parsed.error.hint, /aggregate/)
    assert.equal(parsed.error.column, text.indexOf('|') + 1)
  })
}

/** Signs of other languages that stand in the text of events, and words of a sentence. */
const TEXTS: [query: string, text: string][] = [
  ['file exists', 'file AND exists'],
  ['logged in (again)', 'logged AND in AND again'],
  ['a->5', '"a->5"'],
  ['a>b', '"a>b"'],
  ['user<root>', '"user<root>"'],
  ['sshd<22>', '"sshd<22>"'],
  ['<34>Oct', '"<34>Oct"'],
  ['<tag>', '"<tag>"'],
  ['index.php\\?a=b', '"index.php?a=b"'],
  ['"status>400"', '"status>400"'],
  ['"user IN (a,b)"', '"user IN (a,b)"'],
  ['a ==B', 'a AND ==B'],
  ['value is null', 'value AND is AND null'],
  ['looks like "x"', 'looks AND like AND x'],
  ['file contains virus', 'file AND contains AND virus'],
  ['echo x > out.txt', 'echo AND x AND ">" AND out.txt'],
  ['HOME=~/files', 'HOME:"~/files" OR "HOME=~/files"'],
  ['took ~5', 'took AND "~5"'],
  ['"user BETWEEN 1" AND 2', '"user BETWEEN 1" AND 2'],
  ['main(args)', 'main AND args'],
]

for (const [query, text] of TEXTS) {
  test(`${query} stays text`, () => {
    const parsed = parseQuery(query, 0)
    assert.ok(parsed.ok)
    assert.equal(printQuery(parsed.query), text)
  })
}
