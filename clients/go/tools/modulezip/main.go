// Command modulezip packs the module edgehill.dev as a proxy has it: the files that git knows, the messages that were
// generated, and the licence, under OUT/edgehill.dev/@v.
//
//	go run ./modulezip OUT
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

const modulePath = "edgehill.dev"

// file is one of the module, from where it stands.
type file struct{ name, from string }

func (f file) Path() string                 { return f.name }
func (f file) Lstat() (os.FileInfo, error)  { return os.Lstat(f.from) }
func (f file) Open() (io.ReadCloser, error) { return os.Open(f.from) }

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "modulezip OUT")
		os.Exit(2)
	}
	if err := pack(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "modulezip:", err)
		os.Exit(1)
	}
}

// pack writes the zip, its go.mod and what proxies say of it. The module's folder is the one above.
func pack(out string) error {
	version, err := versionOf("../edgehill/doc.go")
	if err != nil {
		return err
	}
	files, err := moduleFiles("..")
	if err != nil {
		return err
	}
	folder := filepath.Join(out, modulePath, "@v")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	var packed bytes.Buffer
	if err := zip.Create(&packed, module.Version{Path: modulePath, Version: version}, files); err != nil {
		return err
	}
	goMod, err := os.ReadFile("../go.mod")
	if err != nil {
		return err
	}
	// The time is fixed, so that the same files give the same module.
	info, err := json.Marshal(map[string]any{"Version": version, "Time": time.Unix(0, 0).UTC()})
	if err != nil {
		return err
	}
	contents := map[string][]byte{
		version + ".zip": packed.Bytes(), version + ".mod": goMod, version + ".info": info, "list": []byte(version + "\n"),
	}
	for name, content := range contents {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o644); err != nil {
			return err
		}
	}
	fmt.Println(filepath.Join(folder, version+".zip"))
	return nil
}

var versionLine = regexp.MustCompile(`(?m)^\tVersion = "(.*)"$`)

// versionOf returns the version that the package says it has, as a module has it.
func versionOf(path string) (string, error) {
	source, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	found := versionLine.FindSubmatch(source)
	if found == nil {
		return "", fmt.Errorf("%s has no version", path)
	}
	return "v" + string(found[1]), nil
}

// moduleFiles returns the files that a user gets: no tests, which need a checkout, and no tools, which are a module of their own.
func moduleFiles(folder string) ([]zip.File, error) {
	command := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	command.Dir = folder
	listed, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files: %w", err)
	}
	files := []zip.File{file{name: "LICENSE", from: filepath.Join(folder, "../../LICENSE")}}
	for name := range strings.SplitSeq(strings.TrimRight(string(listed), "\x00"), "\x00") {
		isOurs := name == "go.mod" || name == "README.md" || filepath.Ext(name) == ".go"
		if isOurs && !strings.HasPrefix(name, "tools/") && !strings.HasSuffix(name, "_test.go") {
			files = append(files, file{name: name, from: filepath.Join(folder, name)})
		}
	}
	generated, err := filepath.Glob(filepath.Join(folder, "gen/edgehill/v1/*.go"))
	if err != nil {
		return nil, err
	}
	if len(generated) == 0 {
		return nil, errors.New("there are no generated messages: `make go-generated`")
	}
	for _, from := range generated {
		files = append(files, file{name: "gen/edgehill/v1/" + filepath.Base(from), from: from})
	}
	return files, nil
}
