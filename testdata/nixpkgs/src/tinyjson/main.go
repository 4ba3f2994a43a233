// Command tinyjson prints the JSON value on standard input in its shortest form.
package main

import (
	"fmt"
	"io"
	"os"
)

func main() {
	in, err := io.ReadAll(os.Stdin)
	if err == nil {
		var out string
		if out, err = Compact(string(in)); err == nil {
			fmt.Println(out)
			return
		}
	}
	fmt.Fprintln(os.Stderr, "tinyjson:", err)
	os.Exit(1)
}
