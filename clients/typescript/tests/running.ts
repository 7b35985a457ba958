/** A server that runs, as a process, and a relay before it that can lose its answers. */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, connect as dial, type Server as Listener, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { type Client, type ClientOptions, connect } from "edgehill";

/** The root of the checkout. */
export const ROOT = resolve(import.meta.dirname, "../../../..");
/** The binary of the server: EDGEHILL_SERVER_BIN, or that of the checkout. */
export const SERVER = process.env["EDGEHILL_SERVER_BIN"] ?? join(ROOT, "target/debug/edgehill-server");

/** A test, or a whole file of them: both do something when they end. */
export interface Lasting {
  after(end: () => Promise<void> | void): void;
}

const running = new Set<ChildProcess>();

// However the suite ends, its servers end with it.
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));

/** Returns the text of a file of the checkout. */
export function fileOf(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** A server on a free loopback port, over a store of its own that outlives it. */
export class Server {
  readonly #folder = mkdtempSync(join(tmpdir(), "edgehill-"));
  readonly #variables: Readonly<Record<string, string>>;
  #child: ChildProcess | undefined;
  /** Host and port. */
  address = "";

  private constructor(variables: Readonly<Record<string, string>>) {
    this.#variables = variables;
  }

  /** Starts a server that ends with the test. `variables`: of its configuration. */
  static async start(test: Lasting, variables: Readonly<Record<string, string>> = {}): Promise<Server> {
    const server = new Server(variables);
    test.after(() => server.close());
    await server.start();
    return server;
  }

  /** Starts it, on another port than before. */
  async start(): Promise<void> {
    if (!existsSync(SERVER)) throw new Error(`${SERVER}: cargo build -p edgehill-service --bin edgehill-server`);
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("EDGEHILL_"));
    const child = spawn(SERVER, ["--listen", "127.0.0.1:0", "--store", this.#store()], {
      env: { ...Object.fromEntries(inherited), ...this.#variables },
      stdio: ["ignore", "pipe", "ignore"],
    });
    this.#child = child;
    running.add(child);
    child.once("exit", () => running.delete(child));
    const [line] = await once(createInterface(child.stdout), "line");
    if (!/^listening on /.test(String(line))) throw new Error(`the server said ${line}`);
    this.address = String(line).replace("listening on ", "").trim();
  }

  /** Ends it at once, as a power failure would. */
  kill(): Promise<void> {
    return this.#end("SIGKILL");
  }

  /** Has it end by itself. */
  stop(): Promise<void> {
    return this.#end("SIGTERM");
  }

  /** Gives its store another key while it is stopped, and starts it. */
  async rotateKey(...flags: readonly string[]): Promise<void> {
    await this.stop();
    const { status, stderr } = spawnSync(SERVER, ["rotate-key", "--store", this.#store(), ...flags]);
    if (status !== 0) throw new Error(String(stderr));
    await this.start();
  }

  /** Ends it, and drops its store. */
  async close(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #store(): string {
    return join(this.#folder, "store");
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }
}

/** Hands connections on to a server. Made to lose answers, it hands all requests on, and no answer. */
export class Relay {
  readonly #listener: Listener;
  readonly #open = new Set<Socket>();
  #target: string;
  #losing = false;
  #arrived: () => void = () => {};
  /** Number of connections that came so far. */
  connections = 0;

  private constructor(target: string) {
    this.#target = target;
    this.#listener = createServer((client) => this.#accept(client));
  }

  /** Starts a relay that ends with the test. */
  static async start(test: Lasting, target: string): Promise<Relay> {
    const relay = new Relay(target);
    relay.#listener.listen(0, "127.0.0.1");
    await once(relay.#listener, "listening");
    test.after(() => relay.close());
    return relay;
  }

  /** Host and port. */
  get address(): string {
    const bound = this.#listener.address();
    if (bound === null || typeof bound === "string") throw new Error("the relay does not listen");
    return `127.0.0.1:${bound.port}`;
  }

  /** From now on nothing comes back. */
  loseAnswers(): void {
    this.#losing = true;
  }

  /** Breaks all connections; new ones lead to `target`, and its answers come back. */
  moveTo(target: string): void {
    this.#target = target;
    this.#losing = false;
    this.cut();
  }

  /** Breaks all connections. */
  cut(): void {
    for (const end of this.#open) end.destroy();
    this.#open.clear();
  }

  /** Waits until so many connections have come. */
  async reached(connections: number): Promise<void> {
    while (this.connections < connections) {
      await new Promise<void>((resolve) => {
        this.#arrived = resolve;
      });
    }
  }

  close(): void {
    this.#listener.close();
    this.cut();
  }

  #accept(client: Socket): void {
    this.connections += 1;
    this.#arrived();
    const { hostname, port } = new URL(`http://${this.#target}`);
    const server = dial(Number(port), hostname);
    for (const [end, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#open.add(end);
      end.on("error", () => end.destroy());
      end.on("close", () => {
        this.#open.delete(end);
        other.destroy();
      });
    }
    client.on("data", (data) => server.write(data));
    server.on("data", (data) => {
      if (!this.#losing) client.write(data);
    });
  }
}

/** Returns a client that is closed with the test. */
export function client(test: Lasting, address: string, options: ClientOptions = {}): Client {
  const made = connect(address, options);
  test.after(() => made.close());
  return made;
}
