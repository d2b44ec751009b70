package process

import (
	"net/http"
	"testing"
)

func TestProxy(t *testing.T) {
	const a, b = "http://a.example:3128", "http://user:secret@b.example:8080"
	tests := []struct {
		name string
		vars map[string]string
		url  string
		want string
	}{
		{"no variables", nil, "https://api.github.com/", ""},
		{"https", map[string]string{"HTTPS_PROXY": a}, "https://api.github.com/", a},
		{"lower case", map[string]string{"https_proxy": a}, "https://api.github.com/", a},
		{"lower case counts first", map[string]string{"https_proxy": a, "HTTPS_PROXY": b}, "https://api.github.com/", a},
		{"with credentials", map[string]string{"HTTPS_PROXY": b}, "https://api.openai.com/v1/responses", b},
		{"without a scheme", map[string]string{"HTTPS_PROXY": "a.example:3128"}, "https://api.github.com/", a},
		{"http is another variable", map[string]string{"HTTP_PROXY": a}, "https://api.github.com/", ""},
		{"excepted host", map[string]string{"HTTPS_PROXY": a, "NO_PROXY": "ghes.example,api.github.com"}, "https://api.github.com/", ""},
		{"excepted domain", map[string]string{"HTTPS_PROXY": a, "no_proxy": ".corp.example"}, "https://ghes.corp.example/api/v3", ""},
		{"excepted network", map[string]string{"HTTPS_PROXY": a, "NO_PROXY": "10.0.0.0/8"}, "https://10.1.2.3/", ""},
		{"everything excepted", map[string]string{"HTTPS_PROXY": a, "NO_PROXY": "*"}, "https://api.github.com/", ""},
		{"another host excepted", map[string]string{"HTTPS_PROXY": a, "NO_PROXY": "ghes.example"}, "https://api.github.com/", a},
		{"loopback", map[string]string{"HTTP_PROXY": a, "HTTPS_PROXY": a}, "http://127.0.0.1:8080/v1/responses", ""},
		{"loopback by name", map[string]string{"HTTP_PROXY": a, "HTTPS_PROXY": a}, "https://localhost:8443/", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, tt.url, http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			u, err := Env{Vars: tt.vars}.Proxy()(req)
			if u != nil {
				got = u.String()
			}
			if err != nil || got != tt.want {
				t.Errorf("proxy %q, %v; want %q", got, err, tt.want)
			}
		})
	}
}
