package edgehill_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"edgehill.dev/edgehill"
)

// root is the root of the checkout.
const root = "../../.."

// serverBinary is the binary of the server: EDGEHILL_SERVER_BIN, or that of the checkout.
func serverBinary() string {
	if named := os.Getenv("EDGEHILL_SERVER_BIN"); named != "" {
		return named
	}
	return filepath.Join(root, "target/debug/edgehill-server")
}

// ends are done when the suite ends: shared servers and clients are stopped.
var ends []func()

// TestMain ends the servers that tests share, and fails if anything of a client still runs then.
func TestMain(m *testing.M) {
	code := m.Run()
	for i := len(ends) - 1; i >= 0; i-- {
		ends[i]()
	}
	if err := goleak.Find(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// fileOf returns the text of a file of the checkout.
func fileOf(t testing.TB, path string) string {
	t.Helper()
	return string(ok(os.ReadFile(filepath.Join(root, path)))(t))
}

// server is a server on a free loopback port, over a store of its own that outlives it.
type server struct {
	folder    string
	variables []string
	process   *exec.Cmd
	// address has host and port.
	address string
}

// startServer starts a server that ends with the test. The variables are of its configuration.
func startServer(t testing.TB, variables ...string) *server {
	t.Helper()
	started := &server{folder: t.TempDir(), variables: variables}
	t.Cleanup(started.kill)
	if err := started.start(); err != nil {
		t.Fatal(err)
	}
	return started
}

// start starts it, on another port than before.
func (s *server) start() error {
	command := exec.Command(serverBinary(), "--listen", "127.0.0.1:0", "--store", s.store())
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "EDGEHILL_") {
			command.Env = append(command.Env, variable)
		}
	}
	command.Env = append(command.Env, s.variables...)
	output, err := command.StdoutPipe()
	if err != nil {
		return err
	}
	if err := command.Start(); err != nil {
		return fmt.Errorf("%w: cargo build -p edgehill-service --bin edgehill-server", err)
	}
	s.process = command
	line, err := bufio.NewReader(output).ReadString('\n')
	address, isListening := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	if !isListening {
		s.kill()
		return fmt.Errorf("the server said %q: %w", line, err)
	}
	s.address = address
	return nil
}

func (s *server) store() string { return filepath.Join(s.folder, "store") }

// kill ends it at once, as a power failure would.
func (s *server) kill() { s.end(os.Kill) }

// stop has it end by itself.
func (s *server) stop() { s.end(os.Interrupt) }

func (s *server) end(signal os.Signal) {
	if s.process == nil {
		return
	}
	_ = s.process.Process.Signal(signal) // it fails where the server has ended
	_ = s.process.Wait()
	s.process = nil
}

// rotateKey gives its store another key while it is stopped, and starts it.
func (s *server) rotateKey(t *testing.T, flags ...string) {
	t.Helper()
	s.stop()
	given := append([]string{"rotate-key", "--store", s.store()}, flags...)
	if said, err := exec.Command(serverBinary(), given...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	if err := s.start(); err != nil {
		t.Fatal(err)
	}
}

// shared is the server of all tests that leave no trace for others, with a client.
var shared = sync.OnceValues(func() (*edgehill.Client, error) {
	folder, err := os.MkdirTemp("", "edgehill-")
	if err != nil {
		return nil, err
	}
	started := &server{folder: folder}
	ends = append(ends, func() {
		started.kill()
		_ = os.RemoveAll(folder)
	})
	if err := started.start(); err != nil {
		return nil, err
	}
	client, err := edgehill.Connect(context.Background(), started.address)
	if err != nil {
		return nil, err
	}
	ends = append(ends, client.Close)
	sharedAddress = started.address
	return client, nil
})

var sharedAddress string

// sharedClient returns a client of the server that tests share.
func sharedClient(t testing.TB) *edgehill.Client {
	t.Helper()
	return ok(shared())(t)
}

// connect returns a client that is closed with the test.
func connect(t testing.TB, address string, options ...edgehill.ConnectOption) *edgehill.Client {
	t.Helper()
	client := ok(edgehill.Connect(t.Context(), address, options...))(t)
	t.Cleanup(client.Close)
	return client
}

// relay hands connections on to a server. Made to lose answers, it hands all requests on, and no answer.
type relay struct {
	listener net.Listener
	mu       sync.Mutex
	open     map[net.Conn]bool
	target   string
	isLosing bool
	arrived  int
	running  sync.WaitGroup
}

// startRelay starts a relay that ends with the test.
func startRelay(t testing.TB, target string) *relay {
	t.Helper()
	started := &relay{
		listener: ok(net.Listen("tcp", "127.0.0.1:0"))(t), open: map[net.Conn]bool{}, target: target,
	}
	started.running.Go(started.accept)
	t.Cleanup(func() {
		_ = started.listener.Close()
		started.cut()
		started.running.Wait()
	})
	return started
}

func (r *relay) address() string { return r.listener.Addr().String() }

// connections returns the number of connections that have come.
func (r *relay) connections() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.arrived
}

// loseAnswers has nothing come back from now on.
func (r *relay) loseAnswers() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.isLosing = true
}

// moveTo breaks all connections; new ones lead to the target, and its answers come back.
func (r *relay) moveTo(target string) {
	r.mu.Lock()
	r.target, r.isLosing = target, false
	r.mu.Unlock()
	r.cut()
}

// cut breaks all connections.
func (r *relay) cut() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for end := range r.open {
		_ = end.Close()
	}
	r.open = map[net.Conn]bool{}
}

func (r *relay) accept() {
	for {
		client, err := r.listener.Accept()
		if err != nil {
			return
		}
		r.mu.Lock()
		r.arrived++
		target := r.target
		r.mu.Unlock()
		server, err := net.Dial("tcp", target)
		if err != nil {
			_ = client.Close()
			continue
		}
		r.mu.Lock()
		r.open[client], r.open[server] = true, true
		r.mu.Unlock()
		r.running.Go(func() { r.copy(server, client, false) })
		r.running.Go(func() { r.copy(client, server, true) })
	}
}

func (r *relay) copy(to, from net.Conn, isAnswer bool) {
	defer func() {
		_, _ = to.Close(), from.Close()
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.open, to)
		delete(r.open, from)
	}()
	buffer := make([]byte, 1<<15)
	for {
		count, err := from.Read(buffer)
		if err != nil {
			return
		}
		r.mu.Lock()
		isLost := isAnswer && r.isLosing
		r.mu.Unlock()
		if isLost {
			continue
		}
		if _, err := to.Write(buffer[:count]); err != nil {
			return
		}
	}
}
