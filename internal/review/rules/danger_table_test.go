package rules_test

import (
	"testing"

	"workflow-reviewer/internal/workflow"
)

// dangers are files in which a value from outside does harm.
var dangers = []struct{ name, rule, file, text string }{
	{"Python, f-string", sqlRule, "a.py", "def find(db, name):\n    return db.execute(f\"SELECT id FROM users WHERE name = '{name}'\")\n"},
	{"Python, +", sqlRule, "a.py", "def find(db, name):\n    q = \"SELECT id FROM users WHERE name = '\" + name + \"'\"\n    return db.execute(q)\n"},
	{"Python, %", sqlRule, "a.py", "def drop(db, uid):\n    db.execute(\"DELETE FROM users WHERE id = %s\" % uid)\n"},
	{"Python, % of a tuple", sqlRule, "a.py", "def drop(db, a, b):\n    db.execute(\"DELETE FROM users WHERE a = '%s' AND b = %s\" % (a, b))\n"},
	{"Python, format", sqlRule, "a.py", "def find(db, name):\n    db.execute(\"SELECT id FROM users WHERE name = '{}'\".format(name))\n"},
	{"Python, format with names", sqlRule, "a.py", "def find(db, n):\n    db.execute(\"SELECT id FROM users WHERE name = '{who}'\".format(who=n))\n"},
	{"Python, a request", sqlRule, "a.py", "from flask import request\n\n@app.get('/u')\ndef user():\n    name = request.args.get('name')\n" +
		"    return db.execute(f\"SELECT id FROM users WHERE name = '{name}'\")\n"},
	{"Python, order of a request", sqlRule, "a.py", "from flask import request\n\ndef users():\n    order = request.args['order']\n" +
		"    return db.execute(f\"SELECT id FROM users ORDER BY {order}\")\n"},
	{"Python, a condition in steps", sqlRule, "a.py", "def find(db, status):\n    where = []\n    if status:\n" +
		"        where.append(f\"status = '{status}'\")\n    return db.execute(f\"SELECT id FROM users WHERE {' AND '.join(where)}\")\n"},
	{"Python, a statement in steps", sqlRule, "a.py", "def find(db, name):\n    q = 'SELECT id FROM users WHERE a = 1'\n    if name:\n" +
		"        q += f\" AND name = '{name}'\"\n    return db.execute(q)\n"},
	{"Java, a statement in steps", sqlRule, "A.java", "class A {\n  User find(String name) {\n    String q = \"SELECT id FROM users WHERE a = 1\";\n" +
		"    q += \" AND name = '\" + name + \"'\";\n    return db.query(q);\n  }\n}\n"},
	{"Python, a field of a list", sqlRule, "a.py", "def save(db, rows):\n    for row in rows:\n" +
		"        db.execute(f\"INSERT INTO users VALUES ('{row['name']}')\")\n"},
	{"Python, a helper of the file", sqlRule, "a.py", "def find(db, name):\n    return run(db, name.strip())\n\ndef run(db, who):\n" +
		"    return db.execute(f\"SELECT id FROM users WHERE name = '{who}'\")\n"},
	{"JavaScript, template", sqlRule, "a.js", "export function find(name) {\n  return db.query(`SELECT id FROM users WHERE name = '${name}'`);\n}\n"},
	{"JavaScript, +", sqlRule, "a.js", "app.get('/u', (req, res) => {\n  db.query(\"SELECT id FROM users WHERE name = '\" + req.query.name + \"'\");\n});\n"},
	{"TypeScript, destructured", sqlRule, "a.ts", "app.get('/u', async (req: Request, res: Response) => {\n  const { name } = req.body;\n" +
		"  await pool.query(`SELECT id FROM users WHERE name = '${name}'`);\n});\n"},
	{"TypeScript, a route of Next", sqlRule, "a.ts", "export async function POST(request: Request) {\n  const body = await request.json();\n" +
		"  return prisma.$queryRawUnsafe(`SELECT id FROM users WHERE name = '${body.name}'`);\n}\n"},
	{"TypeScript, values", sqlRule, "a.ts", "export const save = (names: string[]) =>\n  db.query(`INSERT INTO users (name) VALUES " +
		"${names.map((n) => `('${n}')`).join(',')}`);\n"},
	{"Go, Sprintf", sqlRule, "a.go", "package a\n\nfunc Find(db *sql.DB, name string) {\n\tdb.Query(fmt.Sprintf(\"SELECT id FROM users WHERE name = '%s'\", " +
		"name))\n}\n"},
	{"Go, +", sqlRule, "a.go", "package a\n\nfunc find(w http.ResponseWriter, r *http.Request) {\n\tname := r.URL.Query().Get(\"name\")\n" +
		"\tdb.Query(\"SELECT id FROM users WHERE name = '\" + name + \"'\")\n}\n"},
	{"Java, +", sqlRule, "A.java", "class A {\n  User find(String name) {\n    return db.query(\"SELECT id FROM users WHERE name = '\" + name + \"'\");\n  }\n}\n"},
	{"Java, String.format", sqlRule, "A.java", "class A {\n  User find(String name) {\n" +
		"    return db.query(String.format(\"SELECT id FROM users WHERE name = '%s'\", name));\n  }\n}\n"},
	{"Java, a parameter of a request", sqlRule, "A.java", "class A {\n  void doGet(HttpServletRequest request) {\n" +
		"    String id = request.getParameter(\"id\");\n    st.executeQuery(\"SELECT a FROM users WHERE id = \" + id);\n  }\n}\n"},
	{"Ruby, interpolation", sqlRule, "a.rb", "def find(name)\n  db.execute(\"SELECT id FROM users WHERE name = '#{name}'\")\nend\n"},
	{"Ruby, params", sqlRule, "a.rb", "def show\n  User.find_by_sql(\"SELECT * FROM users WHERE id = #{params[:id]}\")\nend\n"},
	{"C#, interpolation", sqlRule, "A.cs", "class A {\n  User Find(string name) {\n    return db.Query($\"SELECT id FROM users WHERE name = '{name}'\");\n  }\n}\n"},
	{"C#, string.Format", sqlRule, "A.cs", "class A {\n  User Find(string name) {\n" +
		"    return db.Query(string.Format(\"SELECT id FROM users WHERE name = '{0}'\", name));\n  }\n}\n"},
	{"Rust, format!", sqlRule, "a.rs", "fn find(db: &Db, name: &str) -> Row {\n    db.query(&format!(\"SELECT id FROM users WHERE name = '{}'\", name))\n}\n"},
	{"Rust, a name in the format", sqlRule, "a.rs", "fn find(db: &Db, name: &str) -> Row {\n    db.query(&format!(\"SELECT id FROM users WHERE name = '{name}'\"))\n}\n"},
	{"JSX, a prop", htmlRule, "a.jsx", "export function Note({ body }) {\n  return <div dangerouslySetInnerHTML={{ __html: body }} />;\n}\n"},
	{"TSX, Markdown", htmlRule, "a.tsx", "export const Note = ({ text }: { text: string }) => <p dangerouslySetInnerHTML={{ __html: marked.parse(text) }} />;\n"},
	{"a list", htmlRule, "a.js", "export function show(items) {\n  list.innerHTML = items.map((i) => `<li>${i.name}</li>`).join('');\n}\n"},
	{"the address", htmlRule, "a.js", "function greet() {\n  const q = new URLSearchParams(location.search);\n  el.innerHTML = 'Hello ' + location.hash;\n}\n"},
	{"what was fetched", htmlRule, "a.js", "async function load() {\n  const r = await fetch('/api');\n  const data = await r.json();\n" +
		"  el.innerHTML = `<b>${data.title}</b>`;\n}\n"},
	{"a method of the file", htmlRule, "a.js", "class Page {\n  open(event) {\n    this.show(event.data);\n  }\n" +
		"  show(what) {\n    this.el.innerHTML = what;\n  }\n}\n"},
	{"Python, mark_safe", htmlRule, "a.py", "from django.utils.safestring import mark_safe\n\ndef show(bio):\n    return mark_safe('<p>' + bio + '</p>')\n"},
	{"Go, template.HTML", htmlRule, "a.go", "package a\n\nfunc Show(body string) template.HTML {\n\treturn template.HTML(body)\n}\n"},
	{"Ruby, html_safe", htmlRule, "a.rb", "def show(bio)\n  bio.html_safe\nend\n"},
	{"Python, eval", codeRule, "a.py", "def read(text):\n    return eval(text)\n"},
	{"JavaScript, Function", codeRule, "a.js", "export function run(body) {\n  return new Function('x', body);\n}\n"},
	{"JavaScript, an option of a command", codeRule, "a.js", "program.command('x').action((options) => {\n  run(new Function('v', options.by));\n});\n"},
	{"a state of React", htmlRule, "a.jsx", "export function Editor({ initial }) {\n  const [now, setNow] = useState(initial);\n" +
		"  return <p dangerouslySetInnerHTML={{ __html: now }} />;\n}\n"},
	{"set anew in a branch", htmlRule, "a.js", "export function show(what, plain) {\n  if (plain) {\n    what = escapeHtml(what);\n  }\n" +
		"  el.innerHTML = what;\n}\n"},
	{"Java, objects of a socket", codeRule, "A.java", "import java.io.ObjectInputStream;\nclass A {\n  void f(Socket s) {\n" +
		"    new ObjectInputStream(s.getInputStream()).readObject();\n  }\n}\n"},
	{"Ruby, eval", codeRule, "a.rb", "def run(params)\n  eval(params[:code])\nend\n"},
	{"Python, pickle", codeRule, "a.py", "def read(request):\n    return pickle.loads(request.body)\n"},
	{"Python, a shell", shellRule, "a.py", "import os\n\ndef ping(host):\n    os.system('ping ' + host)\n"},
	{"JavaScript, a shell", shellRule, "src/a.js", "export function log(req, res) {\n  exec(`git log ${req.query.branch}`);\n}\n"},
	{"Go, a shell", shellRule, "a.go", "package a\n\nfunc Ping(r *http.Request) {\n\texec.Command(\"sh\", \"-c\", \"ping \"+r.FormValue(\"host\"))\n}\n"},
}

// harmless are files that look like these.
var harmless = []struct{ name, rule, file, text string }{
	{"placeholders", sqlRule, "a.py", "def find(db, ids):\n    marks = ','.join('?' for _ in ids)\n    return db.execute(f\"SELECT a FROM t WHERE id IN ({marks})\", ids)\n"},
	{"placeholders, multiplied", sqlRule, "a.py", "def find(db, ids):\n    q = ','.join(['?'] * len(ids))\n    return db.execute(f\"SELECT a FROM t WHERE id IN ({q})\", ids)\n"},
	{"a column by another name", sqlRule, "a.py", "def get(db, uid, kind):\n    db.execute(f\"SELECT {kind} FROM t WHERE uid = ?\", (uid,))\n"},
	{"quotes that are doubled", sqlRule, "a.ts", "export function find(box: string) {\n  const only = box ? `AND box = '${box.replace(/'/g, \"''\")}'` : '';\n" +
		"  return db.query(`SELECT a FROM t WHERE b = 1 ${only}`);\n}\n"},
	{"what failed", htmlRule, "a.js", "fetch('/api').catch((error) => {\n  el.innerHTML = `<p>${error.message}</p>`;\n});\n"},
	{"a message in steps", sqlRule, "a.py", "def show(name):\n    text = 'Find: '\n    text += f\" AND name = '{name}'\"\n    return text\n"},
	{"a table", sqlRule, "a.py", "def rows(cursor, table_name):\n    cursor.execute(f\"SELECT COUNT(*) FROM {table_name}\")\n"},
	{"tables of the database", sqlRule, "a.py", "def sizes(cursor):\n    for row in cursor.fetchall():\n        name = row[0]\n" +
		"        cursor.execute(f\"SELECT COUNT(*) FROM {name}\")\n"},
	{"a constant", sqlRule, "a.py", "LIMIT = 10\n\ndef find(db):\n    return db.execute(f\"SELECT a FROM t WHERE n > {LIMIT}\")\n"},
	{"a name of another file", sqlRule, "a.py", "from .names import kind\n\ndef find(db):\n    return db.execute(f\"SELECT a FROM t WHERE kind = '{kind}'\")\n"},
	{"a member of an enum", sqlRule, "a.py", "from .kinds import Kind\n\ndef find(db):\n    return db.execute(f\"SELECT a FROM t WHERE kind = '{Kind.OPEN.value}'\")\n"},
	{"a typed number", sqlRule, "a.py", "def find(db, days: int = 7):\n    return db.execute(f\"SELECT a FROM t WHERE d > {days}\")\n"},
	{"made a number", sqlRule, "a.py", "def find(db, days):\n    return db.execute(f\"SELECT a FROM t WHERE d > {int(days)}\")\n"},
	{"a default that is a number", sqlRule, "a.ts", "export function find(days = 30) {\n  return db.query(`SELECT a FROM t WHERE d > ${days}`);\n}\n"},
	{"called with constants alone", sqlRule, "a.py", "def count(db, status):\n    return db.execute(f\"SELECT a FROM t WHERE s = '{status}'\")\n\n" +
		"def all(db):\n    return count(db, 'open'), count(db, 'done')\n"},
	{"looked up in a list", sqlRule, "a.py", "def find(db, sort):\n    if sort not in ('name', 'age'):\n        raise ValueError(sort)\n" +
		"    return db.execute(f\"SELECT a FROM t WHERE x = '{sort}'\")\n"},
	{"an element that was looked up", sqlRule, "a.py", "def find(db, order):\n    allowed = {'a', 'b'}\n    parts = order.split()\n    if parts[0] not in allowed:\n" +
		"        raise ValueError(order)\n    by = parts[0]\n    return db.execute(f\"SELECT a FROM t ORDER BY {by}\")\n"},
	{"a table of columns", sqlRule, "a.ts", "const by = { name: 'n.name', age: 'n.age' };\nexport function find(req: Request) {\n" +
		"  return db.query(`SELECT a FROM t ORDER BY ${by[req.query.by]}`);\n}\n"},
	{"conditions with placeholders", sqlRule, "a.ts", "export async function find(req: Request) {\n  const { from } = req.query;\n  let when = '';\n" +
		"  const values = [];\n  if (from) {\n    values.push(from);\n    when += ` AND d >= $${values.length}`;\n  }\n" +
		"  return db.query(`SELECT a FROM t WHERE b = $1 ${when}`, values);\n}\n"},
	{"a tag", sqlRule, "a.ts", "export async function find(id: string) {\n  return sql`SELECT a FROM t WHERE id = ${id}`;\n}\n"},
	{"a tag of Prisma", sqlRule, "a.ts", "export const find = (id: string) => prisma.$queryRaw`SELECT a FROM t WHERE id = ${id}`;\n"},
	{"quoted", sqlRule, "a.ts", "export function find(name: string) {\n  return db.query(`SELECT a FROM t WHERE b = ${mysql.escape(name)}`);\n}\n"},
	{"a date", sqlRule, "a.ts", "export function find(day: Date) {\n  return db.query(`SELECT a FROM t WHERE d < '${day.toISOString()}'`);\n}\n"},
	{"parts of a builder", sqlRule, "a.ts", "export async function stats(websiteId: string, filters: QueryFilters) {\n" +
		"  const { filterQuery, cohortQuery } = parseFilters(filters);\n  return rawQuery(`SELECT count(*) FROM e ${cohortQuery} WHERE w = {{websiteId}} " +
		"${filterQuery}`);\n}\n"},
	{"a type of literals", sqlRule, "a.ts", "export function find(kind: 'a' | 'b') {\n  return db.query(`SELECT a FROM t WHERE kind = '${kind}'`);\n}\n"},
	{"a type of the project", sqlRule, "a.ts", "export function find(kind: Kind) {\n  return db.query(`SELECT a FROM t WHERE kind = '${kind}'`);\n}\n"},
	{"a dialect", sqlRule, "a.ts", "export function touch(dialect: Dialect) {\n  return db.query(`UPDATE t SET a = ${dialect.now()} WHERE id = $1`);\n}\n"},
	{"a count of placeholders, Go", sqlRule, "a.go", "package a\n\nfunc Find(db *sql.DB, ids []any) {\n\tmarks := strings.TrimSuffix(strings.Repeat(\"?,\", len(ids)), \",\")\n" +
		"\tdb.Query(fmt.Sprintf(\"SELECT a FROM t WHERE id IN (%s)\", marks), ids...)\n}\n"},
	{"placeholders in a list, Go", sqlRule, "a.go", "package a\n\nfunc Find(db *sql.DB, ids []string) {\n\tvar in []string\n\tfor range ids {\n\t\tin = append(in, \"?\")\n\t}\n" +
		"\tdb.Query(fmt.Sprintf(\"SELECT a FROM t WHERE id IN (%s)\", strings.Join(in, \",\")))\n}\n"},
	{"a number, Go", sqlRule, "a.go", "package a\n\nfunc Find(db *sql.DB, limit int64) {\n\tdb.Query(fmt.Sprintf(\"SELECT a FROM t LIMIT %v\", limit))\n}\n"},
	{"columns, Go", sqlRule, "a.go", "package a\n\nfunc Find(db *sql.DB, columns []string) {\n\tdb.Query(\"SELECT \" + strings.Join(columns, \", \") + \" FROM t\")\n}\n"},
	{"a constant of another file, Go", sqlRule, "a.go", "package a\n\nfunc Find(db *sql.DB) {\n\tdb.Query(fmt.Sprintf(\"SELECT a FROM t WHERE kind = '%s'\", kindOpen))\n}\n"},
	{"a constant, Java", sqlRule, "A.java", "class A {\n  static final String OPEN = \"open\";\n  void f() {\n    db.query(\"SELECT a FROM t WHERE s = '\" + OPEN + \"'\");\n  }\n}\n"},
	{"a number, Java", sqlRule, "A.java", "class A {\n  User find(long id) {\n    return db.query(\"SELECT a FROM t WHERE id = \" + id);\n  }\n}\n"},
	{"an interpolated statement, C#", sqlRule, "A.cs", "class A {\n  void F(string name) {\n    db.Database.ExecuteSqlInterpolatedAsync($\"INSERT INTO t (a) VALUES ({name})\");\n  }\n}\n"},
	{"a Guid, C#", sqlRule, "A.cs", "class A {\n  void F(Guid id) {\n    db.Query($\"SELECT a FROM t WHERE id = '{id}'\");\n  }\n}\n"},
	{"a number, Rust", sqlRule, "a.rs", "fn find(db: &Db, id: i64) -> Row {\n    db.query(&format!(\"SELECT a FROM t WHERE id = {}\", id))\n}\n"},
	{"a column, Ruby", sqlRule, "a.rb", "def sum(column)\n  db.execute(\"SELECT SUM(#{column}) FROM users\")\nend\n"},
	{"a translation", htmlRule, "a.js", "export function show() {\n  el.innerHTML = `<b>${t('offline.message', 'Offline')}</b>`;\n}\n"},
	{"a number of a contract", htmlRule, "a.js", "export async function show(contract) {\n  const roundId = await contract.currentRound();\n" +
		"  el.innerHTML = `<b>Round ${roundId}</b>`;\n}\n"},
	{"sanitised", htmlRule, "a.js", "export function show(text) {\n  el.innerHTML = DOMPurify.sanitize(marked.parse(text));\n}\n"},
	{"made anew before", htmlRule, "a.js", "export function show(what) {\n  if (!what) return;\n  what = DOMPurify.sanitize(what);\n  el.innerHTML = what;\n}\n"},
	{"escaped by a method", htmlRule, "a.js", "class Chat {\n  add(text) {\n    const shown = this.format(text);\n    this.el.innerHTML = shown;\n  }\n" +
		"  format(text) {\n    return text.replace(/&/g, '&amp;').replace(/</g, '&lt;');\n  }\n}\n"},
	{"called with texts of its own", htmlRule, "a.js", "class List {\n  showError(what) {\n    this.el.innerHTML = `<div>${what}</div>`;\n  }\n" +
		"  load() {\n    this.showError('Nothing is there');\n  }\n}\n"},
	{"restored", htmlRule, "a.js", "export function restore(el) {\n  el.innerHTML = el.dataset.originalContent;\n}\n"},
	{"moved within the page", htmlRule, "a.ts", "export function pick(item: HTMLElement) {\n  display.innerHTML = item.innerHTML;\n}\n"},
	{"a name of another script", htmlRule, "a.js", "function show() {\n  el.innerHTML = header + settings;\n}\n"},
	{"a part of the page from the server", htmlRule, "a.js", "async function load() {\n  const html = await (await fetch('/part')).text();\n  el.innerHTML = html;\n}\n"},
	{"a table of texts", htmlRule, "a.js", "export function show(v) {\n  const labels = { a: { t: 'A' }, b: { t: 'B' } };\n  const m = labels[v] || labels.a;\n" +
		"  el.innerHTML = `<b>${m.t}</b>`;\n}\n"},
	{"a choice", htmlRule, "a.js", "export function show(file) {\n  el.innerHTML = `<b>${file.folder ? 'Folder' : 'File'}</b>`;\n}\n"},
	{"styles of a chart", htmlRule, "a.tsx", "export const Style = ({ id, config }) => (\n  <style dangerouslySetInnerHTML={{ __html: Object.keys(config)" +
		".map((k) => `--${k}: 1`).join('') }} />\n);\n"},
	{"escaped, Python", htmlRule, "a.py", "from markupsafe import Markup, escape\n\ndef show(bio):\n    return Markup('<p>%s</p>' % escape(bio))\n"},
	{"drawn by a template, Python", htmlRule, "a.py", "def show(bio):\n    return mark_safe(render_to_string('bio.html', {'bio': bio}))\n"},
	{"links, Ruby", htmlRule, "a.rb", "def links(agents)\n  agents.map { |a| link_to(a.name, a) }.join(', ').html_safe\nend\n"},
	{"a constant that is run", codeRule, "a.py", "CODE = 'x = 1'\n\ndef run():\n    exec(CODE)\n"},
	{"what the file made itself", codeRule, "a.py", "import pickle\n\ndef load(path):\n    with open(path, 'rb') as f:\n        return pickle.load(f)\n"},
	{"a block, Ruby", codeRule, "a.rb", "def build(&block)\n  instance_eval(&block)\nend\n"},
	{"a literal, parsed", codeRule, "a.py", "import ast\n\ndef read(text):\n    return ast.literal_eval(text)\n"},
	{"a list without a shell", shellRule, "a.py", "import subprocess\n\ndef show(request):\n    subprocess.run(['less', request.path])\n"},
	{"the project's own names", shellRule, "a.py", "import os\n\ndef find():\n    for editor in 'vim', 'nano':\n        os.system('which %s' % editor)\n"},
	{"a path of the program", shellRule, "src/a.js", "export function copy(dbPath) {\n  execSync(`cp \"${dbPath}\" backup`);\n}\n"},
	{"the user's shell", shellRule, "src/a.ts", "export function env() {\n  const shell = process.env.SHELL || '/bin/sh';\n  return execSync(`${shell} -ilc env`);\n}\n"},
	{"left with known characters", shellRule, "src/a.js", "export function check(req) {\n  execSync('git check-ignore ' + req.path.replace(/[^a-z]/g, ''));\n}\n"},
}

const (
	sqlRule, htmlRule   = "code/sql-concatenation", "code/unsafe-html"
	codeRule, shellRule = "code/dynamic-code", "code/shell-injection"
)

// TestDangers: what reaches a danger from outside is found in all languages, and
// what only looks like it is not.
func TestDangers(t *testing.T) {
	if len(dangers) < 24 || len(harmless) < 40 {
		t.Errorf("%d dangers, %d harmless files", len(dangers), len(harmless))
	}
	for _, c := range dangers {
		if got := found(t, input(workflow.Implementation, nil, one(c.file, c.text), c.file), c.rule); len(got) != 1 {
			t.Errorf("%s, %s: %d findings\n%s", c.rule, c.name, len(got), c.text)
		}
	}
	for _, c := range harmless {
		if got := found(t, input(workflow.Implementation, nil, one(c.file, c.text), c.file), c.rule); len(got) != 0 {
			t.Errorf("harmless: %s, %s: %+v\n%s", c.rule, c.name, got, c.text)
		}
	}
}
