package docstest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestNoticesAreUpToDate runs the generator and compares, so that a module that
// the program links cannot be missing from what the image carries.
func TestNoticesAreUpToDate(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), filepath.Join(root, "scripts", "notices.sh"))
	var problems strings.Builder
	cmd.Stderr = &problems
	want, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, problems.String())
	}
	got, err := os.ReadFile(filepath.Join(root, "THIRD_PARTY_NOTICES"))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(titles(string(want)), titles(string(got))); d != "" {
		t.Errorf("THIRD_PARTY_NOTICES is not up to date (make notices):\n%s", d)
	}
}

// titles are the modules that notices name. The texts themselves follow from
// the versions, but for Go's own, which may be of another release here.
func titles(notices string) []string {
	var out []string
	inList := false
	for line := range strings.Lines(notices) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "====") && strings.Trim(line, "=") == "":
			inList = true
		case strings.HasPrefix(line, "----") && strings.Trim(line, "-") == "":
			inList = false
		case inList:
			out = append(out, line)
		}
	}
	return out
}

// permitted are licences under which the image may carry a module, by words that
// only their texts have; copyleft are titles of those under which it may not.
var (
	permitted = map[string]string{
		"Apache-2.0": "Apache License Version 2.0", "MIT": "Permission is hereby granted, free of charge, to any person obtaining a copy",
		"BSD": "Redistribution and use in source and binary forms, with or without modification, are permitted",
		"MPL": "Mozilla Public License, version 2.0",
	}
	copyleft = []string{
		"GNU GENERAL PUBLIC LICENSE", "GNU AFFERO GENERAL PUBLIC LICENSE", "GNU LESSER GENERAL PUBLIC LICENSE",
		"Server Side Public License", "Business Source License",
	}
)

// TestLicences: each module's licence is one of the permitted ones.
func TestLicences(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, "THIRD_PARTY_NOTICES"))
	if err != nil {
		t.Fatal(err)
	}
	sections := strings.Split(string(data), "\n"+strings.Repeat("=", 78)+"\n")[1:]
	if len(sections) < 20 {
		t.Fatalf("%d licences: the notices are written in another form than expected", len(sections))
	}
	for _, s := range sections {
		if problem := refused(s); problem != "" {
			t.Errorf("%s: %s", strings.SplitN(s, "\n", 2)[0], problem)
		}
	}
	for _, text := range []string{
		"", "All rights reserved.", "GNU GENERAL PUBLIC LICENSE Version 3", permitted["MIT"] + "\nBusiness Source License 1.1",
	} {
		if refused(text) == "" {
			t.Errorf("%q is permitted", text)
		}
	}
}

func refused(licence string) string {
	text := strings.Join(strings.Fields(licence), " ")
	for _, c := range copyleft {
		if strings.Contains(text, c) {
			return c
		}
	}
	for _, words := range permitted {
		if strings.Contains(text, words) {
			return ""
		}
	}
	return "no licence that is permitted"
}
