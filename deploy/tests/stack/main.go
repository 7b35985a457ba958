// Prints files of compose as docker compose lays one over the other, by the library that it reads them with: as JSON, from a folder and
// the files' names.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/compose-spec/compose-go/v2/cli"
)

func main() {
	if err := run(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(folder string, files []string) error {
	options, err := cli.NewProjectOptions(files, cli.WithWorkingDirectory(folder), cli.WithOsEnv)
	if err != nil {
		return err
	}
	project, err := options.LoadProject(context.Background())
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(project)
}
