package edgehill_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"edgehill.dev/edgehill"
)

// codeBlock is one of a page: in go blocks each goes on from those before it; golang blocks are compiled alone, since they need
// accounts or clocks.
var codeBlock = regexp.MustCompile("(?ms)^```(go|golang)\n(.*?)^```")

// buildFlags are those of the programs that are made of pages: without paths in it, a package is built once for all folders.
var buildFlags = "-trimpath"

// imports are those of the page's code, by the names that it uses them with.
var imports = map[string]string{
	"context": "context", "errors": "errors", "fmt": "fmt", "log": "log", "time": "time",
	"edgehill": "edgehill.dev/edgehill", "v1": "edgehill.dev/gen/edgehill/v1",
	"durationpb": "google.golang.org/protobuf/types/known/durationpb",
}

const mustFunction = `
func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
`

// programOf makes a program of a page's code.
func programOf(page, address string) string {
	var declarations, alone, statements strings.Builder
	for place, block := range codeBlock.FindAllStringSubmatch(page, -1) {
		fence, code := block[1], strings.ReplaceAll(block[2], `"localhost:7400"`, fmt.Sprintf("%q", address))
		switch {
		case strings.HasPrefix(code, "type "):
			declarations.WriteString("\n" + code)
		case fence == "golang":
			fmt.Fprintf(&alone, "\nfunc block%d(ctx context.Context, client *edgehill.Client, ada, ben *edgehill.Seat) {\n%s}\n",
				place, code)
			fmt.Fprintf(&declarations, "\nvar _ = block%d\n", place)
		default:
			statements.WriteString(code)
		}
	}
	code := declarations.String() + alone.String() + "\nfunc main() {\n" + statements.String() + "}\n" + mustFunction
	var imported strings.Builder
	for name, path := range imports {
		if regexp.MustCompile(`\b` + name + `\.`).MatchString(code) {
			fmt.Fprintf(&imported, "\t%s %q\n", name, path)
		}
	}
	return "package main\n\nimport (\n" + imported.String() + ")\n" + code
}

// goCommand runs the go command in a folder, and returns its output.
func goCommand(t *testing.T, folder string, variables []string, words ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", words...)
	command.Dir = folder
	command.Env = append(os.Environ(), variables...)
	said, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(words, " "), err, said)
	}
	return string(said)
}

func write(t *testing.T, folder, name, content string) {
	t.Helper()
	ok(0, os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600))(t)
}

// runProgram runs the program of a page, and returns what it says.
func runProgram(t *testing.T, program string) string {
	t.Helper()
	folder, client := t.TempDir(), ok(filepath.Abs(".."))(t)
	// The program needs the modules that the client needs: nothing has to be looked up.
	module := strings.Replace(fileOf(t, "clients/go/go.mod"), "module edgehill.dev", "module example.com/manual", 1)
	write(t, folder, "go.mod", module+"\nrequire edgehill.dev v0.1.0\n\nreplace edgehill.dev => "+client+"\n")
	write(t, folder, "go.sum", fileOf(t, "clients/go/go.sum"))
	write(t, folder, "main.go", program)
	return goCommand(t, folder, []string{"GOFLAGS=-mod=mod " + buildFlags}, "run", ".")
}

func TestTheManualFromItsBeginningToItsEnd(t *testing.T) {
	served := startServer(t)
	said := runProgram(t, programOf(fileOf(t, "docs/sdk-go.md"), served.address))
	for _, words := range []string{"Ada\nBen\n", "true\nILLEGAL_ACTION\nCARD_PICKED\n", "map[rules:"} {
		if !strings.Contains(said, words) {
			t.Errorf("the page's program does not say %q:\n%s", words, said)
		}
	}
}

// The page of generated clients shows how one reads a refusal.
func TestARefusalIsReadByGeneratedCodeAlone(t *testing.T) {
	block := codeBlock.FindStringSubmatch(fileOf(t, "docs/clients.md"))[2]
	program := `package main

import (
	"fmt"

	edgehillv1 "edgehill.dev/gen/edgehill/v1"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

func main() {
	refused, err := status.New(codes.NotFound, "").WithDetails(&edgehillv1.Refusal{Reason: edgehillv1.ErrorReason_ERROR_REASON_UNKNOWN_MATCH})
	if err != nil {
		panic(err)
	}
	err = refused.Err()
` + block + "}\n"
	if said := runProgram(t, program); !strings.HasPrefix(said, "ERROR_REASON_UNKNOWN_MATCH") {
		t.Error(said)
	}
}

func TestTheQuickstartOfThePagesIsTheOneThatRuns(t *testing.T) {
	block := codeBlock.FindString(fileOf(t, "clients/go/README.md"))
	if !strings.Contains(fileOf(t, "docs/quickstarts.md"), "\n"+block+"\n") {
		t.Error("docs/quickstarts.md has another quickstart than clients/go/README.md")
	}
}

func TestTheQuickstartRunsWithThePackedModuleInACleanFolder(t *testing.T) {
	served := startServer(t)
	code := codeBlock.FindStringSubmatch(fileOf(t, "clients/go/README.md"))[2]
	if lines := regexp.MustCompile(`(?m)^.*\S.*$`).FindAllString(code, -1); len(lines) >= 20 {
		t.Errorf("the quickstart has %d lines of code", len(lines))
	}
	proxy, folder := t.TempDir(), t.TempDir()
	var packed []string
	for _, out := range []string{t.TempDir(), proxy} {
		said := goCommand(t, filepath.Join(root, "clients/go/tools"), nil, "run", "./modulezip", out)
		packed = append(packed, string(ok(os.ReadFile(strings.TrimSpace(said)))(t)))
	}
	equal(t, packed[0] == packed[1], true) // the same files give the same module
	// A module cache of its own has no module of an earlier run; the others come from where they were downloaded to.
	downloaded := strings.TrimSpace(goCommand(t, folder, nil, "env", "GOMODCACHE")) + "/cache/download"
	others := strings.TrimSpace(goCommand(t, folder, nil, "env", "GOPROXY"))
	variables := []string{
		"GOPROXY=file://" + proxy + ",file://" + downloaded + "," + others, "GONOSUMDB=edgehill.dev",
		"GOMODCACHE=" + t.TempDir(), "GOFLAGS=-modcacherw " + buildFlags,
	}
	goCommand(t, folder, variables, "mod", "init", "example.com/quickstart")
	write(t, folder, "main.go", strings.ReplaceAll(code, "localhost:7400", served.address))
	goCommand(t, folder, variables, "get", "edgehill.dev/edgehill@v"+edgehill.Version)
	said := goCommand(t, folder, variables, "run", ".")
	if !regexp.MustCompile(`\d+ actions, \w+: \[-?\d -?\d\]\n$`).MatchString(said) {
		t.Error(said)
	}
	others = goCommand(t, folder, variables, "list", "-m", "all")
	if strings.Contains(others, "staticcheck") || !strings.Contains(others, "edgehill.dev v"+edgehill.Version) {
		t.Error(others)
	}
}

func TestVersionsMoveTogether(t *testing.T) {
	var typescript struct {
		Version  string `json:"version"`
		Edgehill struct {
			API string `json:"api"`
		} `json:"edgehill"`
	}
	ok(0, json.Unmarshal([]byte(fileOf(t, "clients/typescript/package.json")), &typescript))(t)
	equal(t, edgehill.Version, typescript.Version)
	equal(t, edgehill.API, typescript.Edgehill.API)
	for _, page := range []string{"clients/go/README.md", "docs/sdk-go.md"} {
		text := fileOf(t, page)
		if !strings.Contains(text, "edgehill.dev/edgehill@v"+edgehill.Version) || !strings.Contains(text, "`"+edgehill.API+"`") {
			t.Errorf("%s is about another version", page)
		}
	}
}
