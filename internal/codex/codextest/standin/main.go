// Command standin is what codextest.StandIn starts in codex's place: it asks the model once and
// prints the events that codex prints. It has no tools, so that an answer which calls one fails the
// review. What it says of itself, its version and its models, codex said: the files "version" and
// "models" beside it.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

func main() {
	err := fmt.Errorf("no such command: %q", os.Args[1:])
	switch strings.Join(os.Args[1:min(3, len(os.Args))], " ") {
	case "--version":
		err = repeat("version")
	case "debug models":
		err = repeat("models")
	case "exec --json":
		err = review(os.Args[2:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// repeat prints a file that lies beside the program.
func repeat(name string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	said, err := os.ReadFile(filepath.Join(filepath.Dir(self), name))
	if err == nil {
		_, err = os.Stdout.Write(said)
	}
	return err
}

// order is what the command line asks for.
type order struct {
	schema, answer, model string
	config                settings
}

// settings are those of the ones given with -c that one turn without tools needs.
type settings struct {
	Instructions string              `toml:"model_instructions_file"`
	Catalog      string              `toml:"model_catalog_json"`
	Effort       string              `toml:"model_reasoning_effort"`
	Provider     string              `toml:"model_provider"`
	Providers    map[string]provider `toml:"model_providers"`
}

type provider struct {
	BaseURL string `toml:"base_url"`
}

func orderOf(args []string) (order, error) {
	var o order
	var config strings.Builder
	for i, arg := range args {
		name, value, _ := strings.Cut(arg, "=")
		switch {
		case name == "--output-schema":
			o.schema = value
		case name == "--output-last-message":
			o.answer = value
		case name == "--model":
			o.model = value
		case i > 0 && args[i-1] == "-c":
			fmt.Fprintln(&config, arg)
		}
	}
	return o, toml.Unmarshal([]byte(config.String()), &o.config)
}

// review asks the model once.
func review(args []string) error {
	o, err := orderOf(args)
	if err != nil {
		return err
	}
	body, err := o.request()
	if err != nil {
		return err
	}
	say("thread.started", "thread_id", "stand-in")
	say("turn.started", "", nil)
	text, err := o.ask(body)
	if err != nil {
		say("error", "message", err.Error())
		say("turn.failed", "error", map[string]any{"message": err.Error()})
		return err
	}
	if text != "" {
		say(
			"item.completed",
			"item",
			map[string]any{"id": "item_0", "type": "agent_message", "text": text},
		)
	}
	say("turn.completed", "usage", map[string]any{})
	return os.WriteFile(o.answer, []byte(text), 0o600)
}

func say(kind, field string, value any) {
	ev := map[string]any{"type": kind}
	if field != "" {
		ev[field] = value
	}
	b, err := json.Marshal(ev)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(b))
}

func (o order) request() ([]byte, error) {
	prompt, err := io.ReadAll(os.Stdin)
	schema, schemaErr := os.ReadFile(o.schema)
	instructions, instructionsErr := os.ReadFile(o.config.Instructions)
	model, effort, modelErr := o.ofModel()
	if err := errors.Join(err, schemaErr, instructionsErr, modelErr); err != nil {
		return nil, err
	}
	type object = map[string]any
	body := object{
		"model": model, "instructions": string(instructions), "stream": true, "store": false,
		"input": []object{
			{
				"type":    "message",
				"role":    "user",
				"content": []object{{"type": "input_text", "text": string(prompt)}},
			},
		},
		"text": object{"format": object{
			"type": "json_schema", "strict": true, "name": "codex_output_schema", "schema": json.RawMessage(schema),
		}},
	}
	if effort != "" {
		body["reasoning"] = object{"effort": effort}
	}
	return json.Marshal(body)
}

// ofModel is the model asked for, else the first by rank of those that the catalog
// lists, with the effort asked for, else the model's own.
func (o order) ofModel() (name, effort string, err error) {
	var catalog struct {
		Models []struct {
			Slug, Visibility string
			Priority         int
			Effort           string `json:"default_reasoning_level"`
		}
	}
	data, err := os.ReadFile(o.config.Catalog)
	if err == nil {
		err = json.Unmarshal(data, &catalog)
	}
	name, best := o.model, 1<<30
	for _, m := range catalog.Models {
		if m.Slug == o.model || o.model == "" && m.Visibility == "list" && m.Priority < best {
			name, effort, best = m.Slug, m.Effort, m.Priority
		}
	}
	return name, cmp.Or(o.config.Effort, effort), err
}

// ask returns the text of the model's answer.
func (o order) ask(body []byte) (string, error) {
	url := o.config.Providers[o.config.Provider].BaseURL + "/responses"
	req, err := http.NewRequestWithContext(
		context.Background(),
		http.MethodPost,
		url,
		bytes.NewReader(body),
	) // a signal ends it
	if err != nil {
		return "", err
	}
	resp, err := new(http.Client).Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close() //nolint:errcheck // read only
	if resp.StatusCode != http.StatusOK {
		said, _ := io.ReadAll(resp.Body) // for the message only
		return "", fmt.Errorf("unexpected status %s: %s", resp.Status, said)
	}
	text := ""
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		var ev event
		if err := json.Unmarshal([]byte(data), &ev); err != nil {
			return "", err
		}
		switch ev.Type {
		case "response.output_item.done":
			said, err := ev.text()
			if err != nil {
				return "", err
			}
			text = said
		case "response.completed":
			return text, nil
		case "response.failed", "response.incomplete":
			return "", fmt.Errorf("%s: %s", ev.Type, data)
		}
	}
	return "", errors.Join(errors.New("stream disconnected before completion"), lines.Err())
}

// event is the part of an event of the model's stream that matters here.
type event struct {
	Type string
	Item struct {
		Type    string
		Content []struct{ Text string }
	}
}

func (ev event) text() (string, error) {
	if ev.Item.Type != "message" {
		return "", fmt.Errorf(
			"the stand-in cannot handle the item %q: have the test use codex itself", ev.Item.Type,
		)
	}
	text := ""
	for _, c := range ev.Item.Content {
		text += c.Text
	}
	return text, nil
}
