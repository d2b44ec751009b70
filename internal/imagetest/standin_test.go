package imagetest

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// standIns are the programs of a runner that a release asks and that a test
// cannot have. They are this test binary, called by another name.
var standIns = map[string]func(state string, args []string) error{"docker": docker, "cosign": cosign, "gh": gh}

func TestMain(m *testing.M) {
	name := filepath.Base(os.Args[0])
	program, ok := standIns[name]
	if !ok {
		os.Exit(m.Run())
	}
	state := os.Getenv("STANDIN")
	err := errors.Join(note(state, "%s %s", name, strings.Join(os.Args[1:], " ")), program(state, os.Args[1:]))
	if err != nil {
		fmt.Fprintln(os.Stderr, name+":", err)
		os.Exit(1)
	}
	os.Exit(0)
}

func note(state, format string, args ...any) error {
	f, err := os.OpenFile(filepath.Join(state, "log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, format+"\n", args...)
	return errors.Join(err, f.Close())
}

func cosign(_ string, args []string) error {
	if !strings.Contains(args[len(args)-1], "@sha256:") {
		return errors.New("signs a tag")
	}
	return nil
}

// gh knows the releases that it made.
func gh(state string, args []string) error {
	made := filepath.Join(state, "release-"+args[2])
	switch _, err := os.Stat(made); args[1] {
	case "view":
		return err
	default:
		return os.WriteFile(made, nil, 0o600)
	}
}

// flag is the value of a flag, in either spelling.
func flag(args []string, name string) string {
	for i, a := range args {
		if value, ok := strings.CutPrefix(a, name+"="); ok {
			return value
		}
		if a == name && i+1 < len(args) {
			return args[i+1]
		}
	}
	return ""
}

var byDigest = regexp.MustCompile(`^[a-z0-9./-]+:v?[0-9.]+@sha256:[0-9a-f]{64}$`)

// docker stands for Docker with buildx: it refuses builders and generators that
// are not pinned, and to push what was not measured.
func docker(state string, args []string) error {
	builder := filepath.Join(state, "builder")
	switch {
	case args[0] == "buildx" && args[1] == "inspect":
		_, err := os.Stat(builder)
		return err
	case args[0] == "buildx" && args[1] == "create":
		if image := strings.TrimPrefix(flag(args, "--driver-opt"), "image="); !byDigest.MatchString(image) {
			return fmt.Errorf("the builder %q is not pinned", image)
		}
		return os.WriteFile(builder, nil, 0o600)
	case args[0] == "buildx" && args[1] == "build":
		return dockerBuild(state, args)
	case args[0] == "buildx" && args[1] == "imagetools" && args[2] == "create":
		return dockerJoin(flag(args, "--tag"), args[5:])
	case args[0] == "buildx" && args[1] == "imagetools":
		return dockerInspect(args)
	case args[0] == "create":
		slim, _ := os.ReadFile(filepath.Join(state, "slim"))
		container := "whole"
		if strings.Contains(args[1], "slim") || len(slim) > 0 && strings.Contains(string(slim), args[1]) {
			container = "slim"
		}
		fmt.Println(container)
		return os.WriteFile(filepath.Join(state, "measured"), nil, 0o600)
	case args[0] == "export":
		return dockerExport(args[1])
	}
	return nil // login, pull, run, rm
}

func dockerBuild(state string, args []string) error {
	output := flag(args, "--output")
	if output == "" {
		return nil // loaded
	}
	if _, err := os.Stat(filepath.Join(state, "measured")); err != nil {
		return errors.New("pushes what was not measured")
	}
	if generator := strings.TrimPrefix(flag(args, "--sbom"), "generator="); !byDigest.MatchString(generator) {
		return fmt.Errorf("the generator %q is not pinned", generator)
	}
	name := regexp.MustCompile(`name=([^,]*)`).FindStringSubmatch(output)[1]
	_, arch, _ := strings.Cut(flag(args, "--platform"), "/")
	manifest := func(config string) map[string]any {
		return map[string]any{"mediaType": imageType, "schemaVersion": 2, "config": config}
	}
	target := flag(args, "--target")
	image, err := put(name, "", imageType, manifest(target+arch+os.Getenv("GITHUB_SHA")))
	if err != nil {
		return err
	}
	about, err := put(name, "", imageType, manifest("about "+image))
	if err != nil {
		return err
	}
	digest, err := put(name, "", indexType, index{indexType, 2, []descriptor{
		{imageType, image, platform{"linux", arch}},
		{imageType, about, platform{"unknown", "unknown"}},
	}})
	if err != nil {
		return err
	}
	if target == "slim" {
		if err := os.WriteFile(filepath.Join(state, "slim"), []byte(name+"@"+digest), 0o600); err != nil {
			return err
		}
	}
	return os.WriteFile(flag(args, "--metadata-file"), []byte(`{"containerimage.digest":"`+digest+`"}`), 0o600)
}

const (
	imageType = "application/vnd.oci.image.manifest.v1+json"
	indexType = "application/vnd.oci.image.index.v1+json"
)

type index struct {
	MediaType     string       `json:"mediaType"`
	SchemaVersion int          `json:"schemaVersion"`
	Manifests     []descriptor `json:"manifests"`
}

type descriptor struct {
	MediaType string   `json:"mediaType"`
	Digest    string   `json:"digest"`
	Platform  platform `json:"platform"`
}

type platform struct {
	OS           string `json:"os"`
	Architecture string `json:"architecture"`
}

func dockerJoin(tag string, images []string) error {
	joined := index{MediaType: indexType, SchemaVersion: 2}
	for _, image := range images {
		data, err := get(image)
		if err != nil {
			return err
		}
		var one index
		if err := json.Unmarshal(data, &one); err != nil {
			return err
		}
		joined.Manifests = append(joined.Manifests, one.Manifests...)
	}
	i := strings.LastIndex(tag, ":")
	_, err := put(tag[:i], tag[i+1:], indexType, joined)
	return err
}

func dockerInspect(args []string) error {
	image := args[3]
	if image == "--raw" {
		image = args[4]
	}
	data, err := get(image)
	switch format := flag(args, "--format"); {
	case err != nil:
		return err
	case strings.Contains(format, "Digest"):
		fmt.Printf("sha256:%x\n", sha256.Sum256(data))
	case strings.Contains(format, "SBOM"):
		fmt.Println(`{"linux/amd64":{"SPDX":"what is in amd64"},"linux/arm64":{"SPDX":"what is in arm64"}}`)
	default:
		_, err = os.Stdout.Write(data)
	}
	return err
}

// dockerExport prints an image's files; a program as large as TOO_LARGE says.
func dockerExport(container string) error {
	w := tar.NewWriter(os.Stdout)
	size := 10
	if os.Getenv("TOO_LARGE") != "" {
		size = 26_000_000
	}
	files := map[string]int{"usr/local/bin/codex": 1000, "usr/local/bin/workflow-reviewer": size}
	if container == "slim" {
		delete(files, "usr/local/bin/codex")
	}
	for name, n := range files {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(n)}); err != nil {
			return err
		}
		if _, err := w.Write(make([]byte, n)); err != nil {
			return err
		}
	}
	return w.Close()
}

// address is the URL of a manifest, of NAME:TAG or NAME@DIGEST.
func address(image string) string {
	i := strings.LastIndexAny(image, "@:")
	if j := strings.Index(image, "@"); j >= 0 {
		i = j
	}
	host, name, _ := strings.Cut(image[:i], "/")
	return "http://" + host + "/v2/" + name + "/manifests/" + image[i+1:]
}

// put pushes a manifest under a tag, "" for its digest, and returns its digest.
func put(name, tag, mediaType string, manifest any) (string, error) {
	data, err := json.Marshal(manifest)
	if err != nil {
		return "", err
	}
	digest := fmt.Sprintf("sha256:%x", sha256.Sum256(data))
	to := name + "@" + digest
	if tag != "" {
		to = name + ":" + tag
	}
	_, err = request(http.MethodPut, to, mediaType, data)
	return digest, err
}

func get(image string) ([]byte, error) { return request(http.MethodGet, image, "", nil) }

func request(method, image, mediaType string, body []byte) ([]byte, error) {
	req, err := http.NewRequest(method, address(image), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer robot")
	req.Header.Set("Content-Type", mediaType)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }() // it was only read
	data, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode >= 300 {
		err = fmt.Errorf("%s %s: %s: %s", method, image, resp.Status, data)
	}
	return data, err
}
