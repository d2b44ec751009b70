package rules_test

import (
	"testing"

	"workflow-reviewer/internal/workflow"
)

// TestSecretInSettings: a secret in a file of settings that comes with the code is found; samples of such files,
// references and passwords for a computer of one's own are not.
func TestSecretInSettings(t *testing.T) {
	const token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	for file, c := range map[string]struct {
		text string
		want int
	}{
		".env":                  {"DEBUG=1\nDB_PASSWORD=S3cr3t!pass99\n", 1},
		"config/production.yml": {"github:\n  token: " + token + "\n", 1},
		"appsettings.json":      {`{"Db": {"Password": "S3cr3t!pass99"}}` + "\n", 1},
		"service.toml":          {"url = \"postgres://shop:S3cr3t!pass99@db.shop.com/shop\"\n", 1},
		".env.example":          {"DB_PASSWORD=S3cr3t!pass99\n", 0},
		"docker-compose.yml": {
			"environment:\n  POSTGRES_PASSWORD: ${DB_PASSWORD}\n  URL: postgres://app:S3cr3t!pass99@localhost/app\n", 0,
		},
		"package-lock.json":      {`{"a": {"integrity": "sha512-abcDEF0129abcDEF0129abcDEF0129abcDEF0129=="}}` + "\n", 0},
		"fixtures/settings.json": {`{"password": "S3cr3t!pass99"}` + "\n", 0},
	} {
		in := input(workflow.Implementation, nil, map[string]string{"src/a.py": "def a():\n    return 1\n", file: c.text}, "src/a.py")
		if got := found(t, in, "code/secret"); len(got) != c.want || len(got) > 0 && got[0].File != file {
			t.Errorf("%s: %+v, want %d", file, got, c.want)
		}
	}
}
